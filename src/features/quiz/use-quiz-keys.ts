import { useEffect } from 'react';
import type { QuizState, QuizStore } from './quiz-store.ts';

/** Elements that take text or hold a dialog, and elements that Enter activates. */
const TYPING = 'input:not([type="radio"]), textarea, select, [contenteditable], [role="dialog"]';
const PRESSING = 'button, a, summary';

/** Single-key shortcuts only work while the focus is in here (WCAG 2.1.4). */
const INSIDE = '#quiz';

/** The keys of a question's five answers, in order. Letters, so that nobody reads them as points. */
export const LETTERS = ['A', 'B', 'C', 'D', 'E'] as const;

/**
 * Shortcuts of the quiz: a to e and – (or x) answer, 1 to 5 rate, y and n skip, and the next step
 * follows after a moment; Enter continues at once, from the screens between steps too. Arrow keys are left to the radio buttons, and
 * people stay where they are. The focus follows the chosen card.
 */
export function useQuizKeys(store: QuizStore, state: QuizState): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      store.stay();
      const target = event.target instanceof Element ? event.target : null;
      // An intro without focus of its own starts with Enter too.
      const isBegun = state.name === 'intro' && event.key === 'Enter' && target === document.body;
      if (!isBegun && (!target?.closest(INSIDE) || target.closest(TYPING))) return;
      if (!('area' in state) && state.name !== 'intro' && state.name !== 'complete') return;
      if (event.key === 'Enter') {
        if (event.repeat || target?.closest(PRESSING)) return;
        event.preventDefault();
        store.enter();
        return;
      }
      const value = choose(store, state, event.key.toLowerCase());
      if (value === null) return;
      event.preventDefault();
      document.querySelector<HTMLElement>(`${INSIDE} input[value="${value}"]`)?.focus();
      store.advance();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, state]);
}

/** Applies a shortcut; returns the value of the card it chose, or null. */
function choose(store: QuizStore, state: QuizState, key: string): string | null {
  if (state.name === 'confidence' && /^[1-5]$/.test(key)) {
    store.rate(state.area.key, Number(key));
    return key;
  }
  if (state.name === 'skip' && /^[yn]$/.test(key)) store.skip(state.keys, key === 'n');
  if (state.name !== 'question') return null;
  const value = LETTERS.findIndex((letter) => letter.toLowerCase() === key);
  if (value !== -1) {
    store.answer(state.question.key, value);
    return String(value);
  }
  if (key === '-' || key === '–' || key === 'x') {
    store.answer(state.question.key, null);
    return 'none';
  }
  return null;
}
