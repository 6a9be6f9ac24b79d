/**
 * The unread count in the navigation and the page title. It comes with the page; after that, the
 * person's realtime channel and other tabs update it.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { onStored, readStored, writeStored } from '#lib/browser/stored.ts';

/** 100 means 100 or more; null until the page starts following it. */
export const $unread = atom<number | null>(null);

const KEY = 'trellis-unread';
let owner = '';

const storedUnread = v.object({ owner: v.string(), count: v.number() });

/** Sets the count, in all of this person's tabs if the browser allows storage. */
export function setUnread(count: number): void {
  if ($unread.get() === count) return;
  $unread.set(count);
  writeStored(KEY, { owner, count } satisfies v.InferOutput<typeof storedUnread>);
}

/** Sets the count that came with the page and follows other tabs. Returns the cleanup. */
export function beginUnread(me: string, count: number): () => void {
  owner = me;
  $unread.set(count);
  return onStored(
    () => KEY,
    () => {
      const stored = readStored(KEY, storedUnread);
      if (stored?.owner === me) $unread.set(stored.count);
    },
  );
}
