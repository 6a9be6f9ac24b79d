/**
 * The unread counts in the navigation, the bell and the page title. They come with the page; after
 * that, the person's realtime channel and other tabs update them.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { onStored, readStored, writeStored } from '#lib/browser/stored.ts';

const unreadCounts = v.object({ messages: v.number(), notifications: v.number() });
type Unread = v.InferOutput<typeof unreadCounts>;

/** 100 means 100 or more; null until the page starts following them. */
export const $unread = atom<Unread | null>(null);

const KEY = 'trellis-unread';
let owner = '';

const storedUnread = v.object({ owner: v.string(), counts: unreadCounts });

/** Sets one count or both, in all of this person's tabs if the browser allows storage. */
export function setUnread(change: Partial<Unread>): void {
  const now = $unread.get() ?? { messages: 0, notifications: 0 };
  const counts = { ...now, ...change };
  if (counts.messages === now.messages && counts.notifications === now.notifications) return;
  $unread.set(counts);
  writeStored(KEY, { owner, counts } satisfies v.InferOutput<typeof storedUnread>);
}

/** Sets the counts that came with the page. */
export function beginUnread(me: string, counts: Unread): void {
  owner = me;
  $unread.set(counts);
}

/** Follows the counts of the person's other tabs. Returns the cleanup. */
export function followOtherTabs(me: string): () => void {
  return onStored(
    () => KEY,
    () => {
      const stored = readStored(KEY, storedUnread);
      if (stored?.owner === me) $unread.set(stored.counts);
    },
  );
}
