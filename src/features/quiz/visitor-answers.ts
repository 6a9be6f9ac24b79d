import { atom } from 'nanostores';
import type { QuizVersion } from '#data/quiz.ts';
import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';
import {
  keepVisitorAnswers,
  onVisitorAnswers,
  readVisitorAnswers,
} from '#lib/browser/visitor-answers.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { loadEnding } from './ending.ts';
import type { AnswerStore } from './quiz-store.ts';
import { areaStep, givenIn, questionStep } from './steps.ts';

/**
 * The answers of a visitor without an account, in this browser only. A first look and the full quiz
 * share them. The result is a preview, computed here.
 */
export function createVisitorAnswers(version: QuizVersion, kind: QuizKind): AnswerStore {
  const $given = atom(givenIn({ answers: [], confidences: [] }));
  const $unsaved = atom<ReadonlyMap<string, SaveStatus>>(new Map());

  function read() {
    const kept = readVisitorAnswers();
    if (kept?.version_id === version.id) $given.set(givenIn(kept));
  }

  function keep(step: string, answers: Answer[], confidences: Confidence[]) {
    const isStored = keepVisitorAnswers({ version_id: version.id, kind, answers, confidences });
    if (!isStored) $unsaved.set(new Map($unsaved.get()).set(step, { name: 'memory-only' }));
  }

  return {
    isFinal: false,
    $given,
    $unsaved,
    $ended: atom(false),
    $finishing: atom(null),
    open() {
      read();
      return onVisitorAnswers(read);
    },
    answer(answer) {
      const { answers, ratings } = $given.get();
      $given.set({ ratings, answers: new Map(answers).set(answer.question_key, answer) });
      keep(questionStep(answer.question_key), [answer], []);
    },
    rate(confidence) {
      const { answers, ratings } = $given.get();
      $given.set({
        answers,
        ratings: new Map(ratings).set(confidence.area_key, confidence.rating),
      });
      keep(areaStep(confidence.area_key), [], [confidence]);
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
