/**
 * The number of unread messages that the navigation and the page title show. The page comes with it;
 * later the person's live channel changes it, and tabs tell each other.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { onStored, readStored, writeStored } from '#lib/browser/stored.ts';

/** 100 means 100 or more; null until the page follows it. */
export const $unread = atom<number | null>(null);

const KEY = 'trellis-unread';
let owner = '';

const storedUnread = v.object({ owner: v.string(), count: v.number() });

/** Shows another number, in every tab of this person where the browser allows storage. */
export function setUnread(count: number): void {
  if ($unread.get() === count) return;
  $unread.set(count);
  writeStored(KEY, { owner, count } satisfies v.InferOutput<typeof storedUnread>);
}

/** Starts with the number that the page came with and follows other tabs; returns its cleanup. */
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
