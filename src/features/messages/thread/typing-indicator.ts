/** Who is writing at this moment, and telling the others that one is. */
import { atom } from 'nanostores';

/** Told at most this often, in milliseconds, and shown this long after it was last heard. */
const TELL_EVERY = 3_000;
const SHOWN_FOR = 5_000;

export const TYPING = 'typing';

export function createWhoTypes(tell: () => void) {
  const $ids = atom<ReadonlySet<string>>(new Set());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let quietUntil = 0;

  function stops(id: string) {
    clearTimeout(timers.get(id));
    if (timers.delete(id)) $ids.set(new Set(timers.keys()));
  }

  return {
    $ids,
    /** Somebody else writes. */
    heard(id: string) {
      const isNew = !timers.has(id);
      clearTimeout(timers.get(id));
      timers.set(
        id,
        setTimeout(() => stops(id), SHOWN_FOR),
      );
      if (isNew) $ids.set(new Set(timers.keys()));
    },
    stops,
    /** The person writes. */
    typed() {
      if (Date.now() < quietUntil) return;
      quietUntil = Date.now() + TELL_EVERY;
      tell();
    },
    /** What was written is sent: the next letter is news again. */
    sent() {
      quietUntil = 0;
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
