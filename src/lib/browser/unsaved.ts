/**
 * Whether this page holds something that isn't stored yet: a form with input, a request in flight.
 * Code that would reload or leave the page on its own checks this first.
 */
import { atom } from 'nanostores';

const held = new Set<symbol>();

export const $unsaved = atom(false);

/** Marks something as unsaved until the returned function is called. */
export function holdUnsaved(): () => void {
  const one = Symbol('unsaved');
  held.add(one);
  $unsaved.set(true);
  return () => {
    held.delete(one);
    $unsaved.set(held.size > 0);
  };
}
