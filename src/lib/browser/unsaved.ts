/**
 * Whether this page holds something that is nowhere else yet: a form that was typed into, an answer
 * on its way. Whatever would take the page away by itself looks here first.
 */
import { atom, computed } from 'nanostores';

const $held = atom<ReadonlySet<symbol>>(new Set());

export const $unsaved = computed($held, (held) => held.size > 0);

/** Says that something is unsaved, until the function it gives is called. */
export function holdUnsaved(): () => void {
  const one = Symbol('unsaved');
  $held.set(new Set($held.get()).add(one));
  return () => $held.set(new Set([...$held.get()].filter((each) => each !== one)));
}
