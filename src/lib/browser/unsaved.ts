/**
 * Whether this page holds something that isn't stored yet: a form with input, a request in flight.
 * Code that would reload or leave the page on its own checks this first.
 */
import { atom, computed } from 'nanostores';

const $held = atom<ReadonlySet<symbol>>(new Set());

export const $unsaved = computed($held, (held) => held.size > 0);

/** Marks something as unsaved until the returned function is called. */
export function holdUnsaved(): () => void {
  const one = Symbol('unsaved');
  $held.set(new Set($held.get()).add(one));
  return () => $held.set(new Set([...$held.get()].filter((each) => each !== one)));
}
