/**
 * Unread messages of the person, as the navigation and the page's title show them. The page comes
 * with a number; from then on the person's live channel tells it, and other tabs pass it on.
 */
import { atom } from 'nanostores';

/** 100 means 100 or more; null until the page follows it. */
export const $unread = atom<number | null>(null);

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

/** Begins with the number that the page came with, and hears other tabs. Gives the end of it. */
export function beginUnread(me: string, count: number): () => void {
  owner = me;
  $unread.set(count);
  const told = (event: StorageEvent) => {
    const news = toldBy(event);
    if (news?.owner === me) $unread.set(news.count);
  };
  addEventListener('storage', told);
  return () => removeEventListener('storage', told);
}
