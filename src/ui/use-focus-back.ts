import { type RefObject, useEffect, useRef } from 'react';

/** Milliseconds until a closing dialog has returned the focus. */
const AFTER_DIALOG = 80;

/**
 * Focuses `target` when a change removes the focused element, so that keyboard and screen reader
 * users continue near where they were. If nothing had the focus, nothing gets it.
 */
export function useFocusBack(
  target: RefObject<{ focus: () => void } | null>,
  changed: unknown,
): void {
  const before = useRef(changed);
  const held = useRef<Element | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      held.current = target as Element;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
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
