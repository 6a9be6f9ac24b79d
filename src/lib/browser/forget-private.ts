import { RECENT_PREFIX } from './recent-pages.ts';
import { QUEUE_PREFIX } from './unsent-here.ts';

/** Kinds of unsent changes that only their author may read, and so don't outlast signing out. */
const PRIVATE_KINDS = ['session'];

/**
 * Removes what nobody who uses this browser next should find: private notes of coaches, and the
 * pages that someone opened.
 */
export function forgetPrivate(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
      for (const key of keys) {
        // `<prefix>:<person>:<kind>:<key>:<stamp>`
        const [prefix = '', , kind = ''] = key?.split(':') ?? [];
        const isPrivate =
          prefix === RECENT_PREFIX || (prefix === QUEUE_PREFIX && PRIVATE_KINDS.includes(kind));
        if (key && isPrivate) storage.removeItem(key);
      }
    }
  } catch {
    // The browser denies storage, so there's nothing in it.
  }
}
