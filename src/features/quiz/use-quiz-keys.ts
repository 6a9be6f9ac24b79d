import { useEffect } from 'react';
import type { QuizState, QuizStore } from './quiz-store.ts';

/** Where letters are typed, or Enter already means something. */
const TYPING = 'input:not([type="radio"]), textarea, select, [contenteditable], [role="dialog"]';
const PRESSING = 'button, a, summary';

/** Single keys work only while the focus is in here (WCAG 2.1.4), so that no other use is broken. */
const INSIDE = '#quiz';

/**
 * Keys of the quiz: 0 to 4 and – (or x) answer, 1 to 5 rate, Enter goes on. Arrows are the radios' own.
 * The focus follows the chosen card, so that the keyboard's next step starts there.
 */
export function useQuizKeys(store: QuizStore, state: QuizState): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      if (!target?.closest(INSIDE) || target.closest(TYPING)) return;
      if (state.name !== 'question' && state.name !== 'confidence') return;
      if (event.key === 'Enter') {
        if (event.repeat || target.closest(PRESSING)) return;
        event.preventDefault();
        store.next();
        return;
      }
      const value = choose(store, state, event.key.toLowerCase());
      if (value === null) return;
      event.preventDefault();
      document.querySelector<HTMLElement>(`${INSIDE} input[value="${value}"]`)?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, state]);
}

/** Does what a key says; gives the value of the card that it chose, or null. */
function choose(store: QuizStore, state: QuizState, key: string): string | null {
  if (state.name === 'confidence' && /^[1-5]$/.test(key)) {
    store.rate(state.area.key, Number(key));
    return key;
  }
  if (state.name !== 'question') return null;
  if (/^[0-4]$/.test(key)) {
    store.answer(state.question.key, Number(key));
    return key;
  }
  if (key === '-' || key === '–' || key === 'x') {
    store.answer(state.question.key, null);
    return 'none';
  }
  return null;
}
