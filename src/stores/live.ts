/** This tab's realtime connection, shared by everything on the page. */

import { whenIdle } from '#lib/browser/when-idle.ts';
import { db } from '#lib/db.ts';
import { type Live, LiveConnection, type LiveDeps } from '#lib/live/live.ts';
import { $session } from './session.ts';

const pageDeps: LiveDeps = {
  db,
  whenIdle,
  onSession: (callback) => $session.subscribe(({ state }) => callback(state === 'signed-in')),
  onVisible(callback) {
    const report = () => callback(document.visibilityState === 'visible');
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  },
  onNetwork(callback) {
    const controller = new AbortController();
    addEventListener('online', () => callback(true), controller);
    addEventListener('offline', () => callback(false), controller);
    return () => controller.abort();
  },
};

let shared: { me: string; live: Live; users: number } | null = null;

/** Opens this tab's connection, or shares it. It closes once every user has closed it. */
export function openLive(me: string): Live {
  if (shared?.me !== me) shared = { me, live: new LiveConnection(me, pageDeps), users: 0 };
  const mine = shared;
  const { live } = mine;
  mine.users += 1;
  let isOpen = true;
  return {
    $state: live.$state,
    $present: live.$present,
    join: (topic, handlers) => live.join(topic, handlers),
    watch: (people) => live.watch(people),
    close() {
      if (!isOpen) return;
      isOpen = false;
      mine.users -= 1;
      if (mine.users > 0) return;
      live.close();
      if (shared === mine) shared = null;
    },
  };
}
