/** The steps of the quiz and their order: pure functions of its version and kind. */

import type { QuizArea, QuizQuestion, QuizVersion } from '#data/quiz.ts';
import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';
import { questionsAsked } from '#domain/questions-asked.ts';

export type Step =
  /** Whether the area's questions apply at all. A first look, with one of them, doesn't ask. */
  | { name: 'skip'; area: QuizArea; keys: Keys; ask: NonNullable<QuizArea['skip']> }
  | {
      name: 'question';
      area: QuizArea;
      keys: Keys;
      question: QuizQuestion;
      number: number;
      of: number;
    }
  /** How sure the owner is of their answers in an area. A first look doesn't ask. */
  | { name: 'confidence'; area: QuizArea; keys: Keys }
  | { name: 'review' };

/** The keys of an area's questions; empty if the area can't be skipped. */
type Keys = readonly string[];

/** The answers so far by question key, and the confidence ratings by area key. */
export type Given = {
  answers: ReadonlyMap<string, Answer>;
  ratings: ReadonlyMap<string, number>;
};

/**
 * The questions, area by area; in a full quiz, each area ends with its confidence step, and starts
 * with the question that skips it, if it has one.
 */
export function stepsOf(version: QuizVersion, kind: QuizKind): Step[] {
  const asked = questionsAsked(version, kind);
  const steps = version.areas
    .toSorted((a, b) => a.position - b.position)
    .flatMap((area): Step[] => {
      const own = asked.filter(({ area_key }) => area_key === area.key);
      if (own.length === 0) return [];
      const ask = kind === 'full' ? area.skip : null;
      const keys = ask ? own.map(({ key }) => key) : [];
      const questions = own.map((question, index): Step => {
        // A first look has one question per area, so number it within the whole quiz.
        const place = kind === 'first_look' ? asked.indexOf(question) : index;
        const of = kind === 'first_look' ? asked.length : own.length;
        return { name: 'question', area, keys, question, number: place + 1, of };
      });
      if (kind === 'first_look') return questions;
      const first: Step[] = ask ? [{ name: 'skip', area, keys, ask }] : [];
      return [...first, ...questions, { name: 'confidence', area, keys }];
    });
  return [...steps, { name: 'review' }];
}

export const questionStep = (key: string) => `question:${key}`;
export const areaStep = (key: string) => `confidence:${key}`;

/** The id of a step: `question:<key>`, `confidence:<area>`, `skip:<area>`, `review`. */
export function stepId(step: Step): string {
  if (step.name === 'question') return questionStep(step.question.key);
  return step.name === 'review' ? step.name : `${step.name}:${step.area.key}`;
}

/** Answers and ratings by their keys. */
export const givenIn = (stored: { answers: Answer[]; confidences: Confidence[] }): Given => ({
  answers: new Map(stored.answers.map((answer) => [answer.question_key, answer])),
  ratings: new Map(stored.confidences.map(({ area_key, rating }) => [area_key, rating])),
});

/**
 * Whether an area is skipped: none of its questions applies. There's no other record of it, so it
 * reaches the score, other devices and a new account like any other answer.
 */
export const isSkipped = (keys: Keys, { answers }: Given): boolean =>
  keys.length > 0 && keys.every((key) => answers.get(key)?.applies === false);

/** Whether a step is complete. */
export function isDone(step: Step, given: Given): boolean {
  const { answers, ratings } = given;
  if (step.name === 'question') return answers.has(step.question.key);
  if (step.name === 'review') return false;
  if (isSkipped(step.keys, given)) return true;
  return step.name === 'skip'
    ? step.keys.some((key) => answers.get(key)?.applies)
    : ratings.has(step.area.key);
}

/** Where a returning user continues: the first step that isn't done, or the review. */
export function resumeAt(steps: Step[], given: Given): Step {
  return steps.find((step) => !isDone(step, given)) ?? { name: 'review' };
}

/** The steps that aren't done. */
export function openSteps(steps: Step[], given: Given): Step[] {
  return steps.filter((step) => step.name !== 'review' && !isDone(step, given));
}

/** How many questions have an answer, "doesn't apply" included, and how many there are. */
export function progressOf(steps: Step[], given: Given): { answered: number; asked: number } {
  const questions = steps.filter(({ name }) => name === 'question');
  return {
    answered: questions.filter((step) => isDone(step, given)).length,
    asked: questions.length,
  };
}
