import { type RefObject, useEffect, useRef } from 'react';

/** Milliseconds in which a dialog that closes has put the focus where it thinks it belongs. */
const AFTER_DIALOG = 80;

/**
 * Takes the focus to `target` when something changed and what had the focus went away with it, so
 * that somebody with a keyboard or a screen reader goes on near where they were. Whoever had the
 * focus nowhere keeps it there.
 */
export function useFocusBack(
  target: RefObject<{ focus: () => void } | null>,
  changed: unknown,
): void {
  const before = useRef(changed);
  const held = useRef<Element | null>(null);
  useEffect(() => {
    const hear = ({ target }: FocusEvent) => {
      held.current = target as Element;
    };
    document.addEventListener('focusin', hear);
    return () => document.removeEventListener('focusin', hear);
  }, []);
  useEffect(() => {
    if (before.current === changed) return;
    before.current = changed;
    const timer = setTimeout(() => {
      const gone = held.current && (!held.current.isConnected || held.current.matches(':disabled'));
      if (gone && document.activeElement === document.body) target.current?.focus();
    }, AFTER_DIALOG);
    return () => clearTimeout(timer);
  }, [target, changed]);
}
