/**
 * The number of unread messages that the navigation and the page title show. The page comes with it;
 * later the person's live channel changes it, and tabs tell each other.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';

/** 100 means 100 or more; null until the page follows it. */
export const $unread = atom<number | null>(null);

const KEY = 'trellis-unread';
let owner = '';

const storedUnread = v.object({ owner: v.string(), count: v.number() });
type StoredUnread = v.InferOutput<typeof storedUnread>;

/** Shows another number, in every tab of this person. */
export function setUnread(count: number): void {
  if ($unread.get() === count) return;
  $unread.set(count);
  try {
    localStorage.setItem(KEY, JSON.stringify({ owner, count } satisfies StoredUnread));
  } catch {
    // Without storage each tab shows what its own channel says.
  }
}

function parseStored({ key, newValue }: StorageEvent): StoredUnread | null {
  if (key !== KEY || !newValue) return null;
  try {
    return v.parse(storedUnread, JSON.parse(newValue));
  } catch {
    return null;
  }
}

/** Starts with the number that the page came with and follows other tabs; returns its cleanup. */
export function beginUnread(me: string, count: number): () => void {
  owner = me;
  $unread.set(count);
  const handleStorage = (event: StorageEvent) => {
    const stored = parseStored(event);
    if (stored?.owner === me) $unread.set(stored.count);
  };
  addEventListener('storage', handleStorage);
  return () => removeEventListener('storage', handleStorage);
}
