/** Keeps the unread counts up to date, on every page of a signed-in person. */
import { newsOf } from '#data/conversations.ts';
import { getUnread, type UnreadCounts } from '#data/notifications.ts';
import { db } from '#lib/db.ts';
import type { Live } from '#lib/live/live.ts';
import { isInFrontHere } from './front.ts';
import { openLive } from './live.ts';
import { followNotices } from './notices.ts';
import { $unread, setUnread } from './unread.ts';

/** New messages in the open conversation are marked as read within this time, in milliseconds. */
const READ_WITHIN_MS = 700;

/**
 * Follows a person's messages and notifications: updates the unread counts, and plays sounds or
 * shows browser notifications for messages.
 * @param fetchUnread fetches the counts from the database
 * @returns its cleanup
 */
export function followUnread(
  me: string,
  live: Live = openLive(me),
  fetchUnread: () => Promise<UnreadCounts> = async () => getUnread(await db()),
): () => void {
  let delay: ReturnType<typeof setTimeout> | undefined;
  const showMessages = (messages: number) => {
    clearTimeout(delay);
    setUnread({ messages });
  };
  /** How often the counts were fetched. */
  let fetches = 0;
  /** How much news of messages came, each with its count: one fetched before it is outdated. */
  let news = 0;
  const refresh = () => {
    fetches += 1;
    const [mine, before] = [fetches, news];
    void fetchUnread().then(
      ({ messages, notifications }) => {
        if (mine !== fetches) return;
        if (before === news) showMessages(messages);
        setUnread({ notifications });
      },
      () => {},
    );
  };
  const person = live.join(`person:${me}`, {
    onMessage(event, payload) {
      if (event === 'notifications') return refresh();
      const change = event === 'conversation' ? newsOf(payload) : null;
      const count = change?.unread_total;
      if (!change || count === undefined) return;
      news += 1;
      const isMore = count > ($unread.get()?.messages ?? 0);
      if (!isMore || !isInFrontHere(change.id)) return showMessages(count);
      // The person is about to read it, so a higher count would only flicker.
      clearTimeout(delay);
      delay = setTimeout(() => showMessages(count), READ_WITHIN_MS);
    },
    // Something may have arrived between rendering and the first join, or while disconnected.
    onJoin: refresh,
  });
  // A page restored from the back/forward cache shows old counts.
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
