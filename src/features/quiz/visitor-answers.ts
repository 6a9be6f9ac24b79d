import { atom } from 'nanostores';
import type { QuizVersion } from '#data/quiz.ts';
import type { Answer, QuizKind } from '#domain/attempt.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { keepVisitorAnswers, onVisitorAnswers, readVisitorAnswers } from '#lib/visitor-answers.ts';
import type { AnswerStore } from './answer-store.ts';

/**
 * The answers of somebody without an account, in this browser and nowhere else. A first look
 * and the full quiz share them. The result is a preview, computed here.
 */
export function createVisitorAnswers(version: QuizVersion, kind: QuizKind): AnswerStore {
  const $answers = atom<ReadonlyMap<string, Answer>>(new Map());
  const $ratings = atom<ReadonlyMap<string, number>>(new Map());
  const $unsaved = atom<ReadonlyMap<string, SaveStatus>>(new Map());

  function read() {
    const kept = readVisitorAnswers();
    if (kept?.version_id !== version.id) return;
    $answers.set(new Map(kept.answers.map((answer) => [answer.question_key, answer])));
    $ratings.set(new Map(kept.confidences.map(({ area_key, rating }) => [area_key, rating])));
  }

  const report = (step: string, isStored: boolean) => {
    if (!isStored) $unsaved.set(new Map($unsaved.get()).set(step, { name: 'memory-only' }));
  };

  return {
    isFinal: false,
    $answers,
    $ratings,
    $unsaved,
    $ended: atom(false),
    $finishing: atom(null),
    open() {
      read();
      return onVisitorAnswers(read);
    },
    answer(answer) {
      $answers.set(new Map($answers.get()).set(answer.question_key, answer));
      const change = { version_id: version.id, kind, answers: [answer], confidences: [] };
      report(`question:${answer.question_key}`, keepVisitorAnswers(change));
    },
    rate(confidence) {
      $ratings.set(new Map($ratings.get()).set(confidence.area_key, confidence.rating));
      const change = { version_id: version.id, kind, answers: [], confidences: [confidence] };
      report(`confidence:${confidence.area_key}`, keepVisitorAnswers(change));
    },
    async finish() {
      const confidences = [...$ratings.get()].map(([area_key, rating]) => ({ area_key, rating }));
      const answers = [...$answers.get().values()];
      return { name: 'preview', scored: scoreAttempt(version, kind, answers, confidences) };
    },
    cancelFinish() {},
  };
}
