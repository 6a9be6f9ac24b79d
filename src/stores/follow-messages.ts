/** Keeps the unread message count up to date, on every page of a signed-in person. */
import { getUnread, newsOf } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import type { Live } from '#lib/live/live.ts';
import { isInFrontHere } from './front.ts';
import { openLive } from './live.ts';
import { followNotices } from './notices.ts';
import { $unread, setUnread } from './unread.ts';

/** New messages in the open conversation are marked as read within this time, in milliseconds. */
const READ_WITHIN_MS = 700;

/**
 * Follows a person's messages: updates the unread count, and plays sounds or shows notifications.
 * @param fetchUnread fetches the unread count from the database
 * @returns its cleanup
 */
export function followMessages(
  me: string,
  live: Live = openLive(me),
  fetchUnread: () => Promise<number> = async () => getUnread(await db()),
): () => void {
  let delay: ReturnType<typeof setTimeout> | undefined;
  const show = (count: number) => {
    clearTimeout(delay);
    setUnread(count);
  };
  // Increases with everything newer than a fetch in flight, whose result is then outdated.
  let newest = 0;
  const refresh = () => {
    newest += 1;
    const mine = newest;
    void fetchUnread().then(
      (count) => {
        if (mine === newest) show(count);
      },
      () => {},
    );
  };
  const person = live.join(`person:${me}`, {
    onMessage(event, payload) {
      const news = event === 'conversation' ? newsOf(payload) : null;
      const count = news?.unread_total;
      if (!news || count === undefined) return;
      newest += 1;
      if (count <= ($unread.get() ?? 0) || !isInFrontHere(news.id)) return show(count);
      // The person is about to read it, so a higher count would only flicker.
      clearTimeout(delay);
      delay = setTimeout(() => show(count), READ_WITHIN_MS);
    },
    // Messages may have arrived between rendering and the first join, or while disconnected.
    onJoin: refresh,
  });
  // A page restored from the back/forward cache shows an old count.
  const handlePageShow = (event: PageTransitionEvent) => event.persisted && refresh();
  addEventListener('pageshow', handlePageShow);
  const stopNotices = followNotices(me, live);
  return () => {
    removeEventListener('pageshow', handlePageShow);
    clearTimeout(delay);
    stopNotices();
    person.leave();
    live.close();
  };
}
