/** What every signed-in page hears of the person's messages, wherever it is. */
import { getUnread, newsOf } from '#data/conversations.ts';
import { db } from '#lib/door.ts';
import { type Live, openLive } from './live.ts';
import { followNotices } from './notices.ts';
import { setUnread } from './unread.ts';

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
  const again = () => void ask().then(setUnread, () => {});
  const person = live.join(`person:${me}`, {
    on(event, payload) {
      const news = event === 'conversation' ? newsOf(payload) : null;
      if (news?.unread_total !== undefined) setUnread(news.unread_total);
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
    stopNotices();
    person.leave();
    live.close();
  };
}
