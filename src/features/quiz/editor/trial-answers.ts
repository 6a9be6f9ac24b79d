import { atom } from 'nanostores';
import type { QuizVersion } from '#data/quiz.ts';
import type { QuizKind } from '#domain/attempt.ts';
import { loadEnding } from '../ending.ts';
import type { AnswerStore } from '../quiz-store.ts';
import { givenIn } from '../steps.ts';

/** Answers of someone who tries a version out: only on this page, and gone with it. */
export function createTrialAnswers(version: QuizVersion, kind: QuizKind): AnswerStore {
  const $given = atom(givenIn({ answers: [], confidences: [] }));
  return {
    isFinal: false,
    isTrial: true,
    $given,
    $unsaved: atom(new Map()),
    $ended: atom(false),
    $finishing: atom(null),
    open: () => () => {},
    answer(answer) {
      const { answers, ratings } = $given.get();
      $given.set({ ratings, answers: new Map(answers).set(answer.question_key, answer) });
    },
    rate({ area_key, rating }) {
      const { answers, ratings } = $given.get();
      $given.set({ answers, ratings: new Map(ratings).set(area_key, rating) });
    },
    async finish() {
      const { scoreAttempt } = await loadEnding();
      const { answers, ratings } = $given.get();
      const confidences = [...ratings].map(([area_key, rating]) => ({ area_key, rating }));
      const scored = scoreAttempt(version, kind, [...answers.values()], confidences);
      return { name: 'preview', scored };
    },
    cancelFinish() {},
  };
}
