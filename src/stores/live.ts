/** The live connection of this tab, for whoever on the page listens. */
import { db } from '#lib/db.ts';
import { createLive, type Live, type LiveDeps } from '#lib/live.ts';
import { whenIdle } from '#lib/when-idle.ts';
import { $session } from './session.ts';

const pageDeps: LiveDeps = {
  db,
  whenIdle,
  onSession: (tell) => $session.subscribe(({ state }) => tell(state === 'signed-in')),
  onShown(tell) {
    const look = () => tell(document.visibilityState === 'visible');
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  },
  onNetwork(tell) {
    const came = () => tell(true);
    const went = () => tell(false);
    addEventListener('online', came);
    addEventListener('offline', went);
    return () => {
      removeEventListener('online', came);
      removeEventListener('offline', went);
    };
  },
};

let shared: { me: string; live: Live; users: number } | null = null;

/** The connection of this tab, for as long as somebody on the page has it open. */
export function openLive(me: string): Live {
  if (shared?.me !== me) shared = { me, live: createLive(me, pageDeps), users: 0 };
  const mine = shared;
  mine.users += 1;
  let open = true;
  return {
    ...mine.live,
    close() {
      if (!open) return;
      open = false;
      mine.users -= 1;
      if (mine.users > 0) return;
      mine.live.close();
      if (shared === mine) shared = null;
    },
  };
}
