import { RECENT_PREFIX } from './recent-pages.ts';
import { QUEUE_PREFIX } from './unsent-here.ts';

/** Kinds of unsent changes that only their author may read, and so don't outlast signing out. */
const PRIVATE_KINDS = ['session'];

/**
 * Removes what nobody who uses this browser next should find: private notes of coaches, and the
 * names of the pages that someone opened.
 */
export function forgetPrivate(): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    for (const key of keys) {
      // `<prefix>:<person>:<kind>:<key>:<stamp>`
      const [prefix, , kind = ''] = key?.split(':') ?? [];
      const isPrivate =
        prefix === RECENT_PREFIX || (prefix === QUEUE_PREFIX && PRIVATE_KINDS.includes(kind));
      if (key && isPrivate) localStorage.removeItem(key);
    }
  } catch {
    // The browser denies storage, so there's nothing in it.
  }
}
