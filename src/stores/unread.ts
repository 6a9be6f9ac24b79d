/**
 * Unread messages of the person, as the navigation and the page's title show them. The page comes
 * with a number; from then on the person's live channel tells it, and other tabs pass it on.
 */
import { atom } from 'nanostores';
import { getUnread, newsOf } from '#data/conversations.ts';
import { db } from '#lib/door.ts';
import { type Live, openLive } from './live.ts';
import { followNotices } from './notices.ts';

/** 100 means 100 or more. */
export const $unread = atom(0);

const KEY = 'trellis-unread';
let owner = '';

interface Told {
  owner: string;
  count: number;
}

/** Shows another number, in every tab of this person. */
export function setUnread(count: number): void {
  if ($unread.get() === count) return;
  $unread.set(count);
  try {
    localStorage.setItem(KEY, JSON.stringify({ owner, count } satisfies Told));
  } catch {
    // Then each tab knows what it hears itself.
  }
}

function toldBy(event: StorageEvent): Told | null {
  if (event.key !== KEY || !event.newValue) return null;
  try {
    return JSON.parse(event.newValue) as Told;
  } catch {
    return null;
  }
}

/**
 * Follows the messages of a person on this page: how many are unread, and the sound or notification
 * of a new one. Gives the end of it.
 * @param count unread messages when the page was made
 * @param ask asks the database for their number
 */
export function followMessages(
  me: string,
  count: number,
  live: Live = openLive(me),
  ask: () => Promise<number> = async () => getUnread(await db()),
): () => void {
  owner = me;
  $unread.set(count);
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
  const told = (event: StorageEvent) => {
    const news = toldBy(event);
    if (news?.owner === me) $unread.set(news.count);
  };
  // Out of the browser's memory of pages, with the number of then.
  const shown = (event: PageTransitionEvent) => event.persisted && again();
  addEventListener('storage', told);
  addEventListener('pageshow', shown);
  const stopNotices = followNotices(me, live);
  return () => {
    removeEventListener('storage', told);
    removeEventListener('pageshow', shown);
    stopNotices();
    person.leave();
    live.close();
  };
}
