import { QUEUE_PREFIX } from './unsent-here.ts';

/** Kinds of unsent changes that only their author may read, and so don't outlast signing out. */
const PRIVATE_KINDS = ['session'];

/** Removes what nobody who uses this browser next should find: private notes of coaches. */
export function forgetPrivate(): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    for (const key of keys) {
      // `<prefix>:<person>:<kind>:<key>:<stamp>`
      const [prefix, , kind = ''] = key?.split(':') ?? [];
      if (key && prefix === QUEUE_PREFIX && PRIVATE_KINDS.includes(kind)) {
        localStorage.removeItem(key);
      }
    }
  } catch {
    // The browser denies storage, so there's nothing in it.
  }
}
