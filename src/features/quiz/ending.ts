import { atom } from 'nanostores';
import { loadOnceOnline } from '#lib/browser/load-module.ts';

export type Ending = typeof import('./Ending.tsx');

/** What a quiz needs after its first answer; null until it's loaded. */
export const $ending = atom<Ending | null>(null);

let loading: Promise<Ending> | undefined;

/**
 * Loads what a quiz needs after its first answer. The first question doesn't wait for it, and it's
 * there if the connection is lost before the end. If it can't be loaded, it rejects, and only a
 * reload helps; the answers are kept.
 */
export function loadEnding(): Promise<Ending> {
  loading ??= loadOnceOnline(() => import('./Ending.tsx')).then((ending) => {
    $ending.set(ending);
    return ending;
  });
  return loading;
}
