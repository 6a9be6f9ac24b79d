import type { QuizStore } from './quiz-store.ts';

/** What a person reads before finishing. `left` counts the questions that are still open. */
export function reviewText(left: number, { kind, isFinal }: Pick<QuizStore, 'kind' | 'isFinal'>) {
  if (left === 0) {
    return isFinal
      ? 'You can still go back and change an answer. After you finish, you can’t.'
      : 'You can change an answer now, and after you see the result too.';
  }
  return kind === 'full'
    ? 'These are still open. You can skip them: an area with too few answers then has no score. A blank never counts as a zero.'
    : 'These are still open. You can skip them: their petals stay empty.';
}
