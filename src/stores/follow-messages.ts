/** What every signed-in page hears of the person's messages, wherever it is. */
import { getUnread, newsOf } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import type { Live } from '#lib/live.ts';
import { openLive } from './live.ts';
import { followNotices, isInFrontHere } from './notices.ts';
import { $unread, setUnread } from './unread.ts';

/** What comes to a conversation in front is read within this time, in milliseconds, and no news. */
const READ_WITHIN_MS = 700;

/**
 * Follows the messages of a person on this page: how many are unread, and the sound or notification
 * of a new one. Gives the end of it.
 * @param ask asks the database how many are unread
 */
export function followMessages(
  me: string,
  live: Live = openLive(me),
  ask: () => Promise<number> = async () => getUnread(await db()),
): () => void {
  let joinedBefore = false;
  let rising: ReturnType<typeof setTimeout> | undefined;
  const show = (count: number) => {
    clearTimeout(rising);
    setUnread(count);
  };
  const again = () => void ask().then(show, () => {});
  const person = live.join(`person:${me}`, {
    on(event, payload) {
      const news = event === 'conversation' ? newsOf(payload) : null;
      const count = news?.unread_total;
      if (!news || count === undefined) return;
      if (count <= ($unread.get() ?? 0) || !isInFrontHere(news.id)) return show(count);
      clearTimeout(rising);
      rising = setTimeout(() => show(count), READ_WITHIN_MS);
    },
    onBack() {
      // The page came with its number; what was told while nobody listened is asked for.
      if (joinedBefore) again();
      joinedBefore = true;
    },
  });
  // Out of the browser's memory of pages, with the number of then.
  const shown = (event: PageTransitionEvent) => event.persisted && again();
  addEventListener('pageshow', shown);
  const stopNotices = followNotices(me, live);
  return () => {
    removeEventListener('pageshow', shown);
    clearTimeout(rising);
    stopNotices();
    person.leave();
    live.close();
  };
}
