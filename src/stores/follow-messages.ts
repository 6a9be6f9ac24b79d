/** Keeps the number of unread messages up to date, on every page of a signed-in person. */
import { getUnread, newsOf } from '#data/conversations.ts';
import { db } from '#lib/db.ts';
import type { Live } from '#lib/live/live.ts';
import { openLive } from './live.ts';
import { followNotices, isInFrontHere } from './notices.ts';
import { $unread, setUnread } from './unread.ts';

/** Messages of the conversation in front are read within this time, in milliseconds. */
const READ_WITHIN_MS = 700;

/**
 * Follows a person's messages: the number of unread ones, and the sound or notification of a new one.
 * @param fetchUnread asks the database for the number of unread messages
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
  // Goes up with everything newer than a number that's being fetched, which is then outdated.
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
      // The person is about to read it: the number would only flicker.
      clearTimeout(delay);
      delay = setTimeout(() => show(count), READ_WITHIN_MS);
    },
    // A message may have come between the page's number and the first join, or while this was away.
    onJoin: refresh,
  });
  // A page from the back/forward cache shows an old number.
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
