import { type RefObject, useEffect, useRef } from 'react';

/** Milliseconds in which a dialog that closes has put the focus where it thinks it belongs. */
const AFTER_DIALOG = 80;

/**
 * Takes the focus to `target` when something changed and what had the focus went away with it, so
 * that somebody with a keyboard goes on near where they were.
 */
export function useFocusBack(target: RefObject<HTMLElement | null>, changed: unknown): void {
  const before = useRef(changed);
  useEffect(() => {
    if (before.current === changed) return;
    before.current = changed;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) target.current?.focus();
    }, AFTER_DIALOG);
    return () => clearTimeout(timer);
  }, [target, changed]);
}
