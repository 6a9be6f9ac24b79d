/** The steps of the quiz and their order: pure functions of its version and kind. */

import type { QuizArea, QuizQuestion, QuizVersion } from '#data/quiz.ts';
import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';
import { questionsAsked } from '#domain/questions-asked.ts';

export type Step =
  | { name: 'question'; area: QuizArea; question: QuizQuestion; number: number; of: number }
  /** How sure the owner is of their answers in an area. A first look doesn't ask. */
  | { name: 'confidence'; area: QuizArea }
  | { name: 'review' };

/** The answers so far by question key, and the confidence ratings by area key. */
export type Given = {
  answers: ReadonlyMap<string, Answer>;
  ratings: ReadonlyMap<string, number>;
};

/** The questions, area by area; in a full quiz, each area ends with its confidence step. */
export function stepsOf(version: QuizVersion, kind: QuizKind): Step[] {
  const asked = questionsAsked(version, kind);
  const steps = version.areas
    .toSorted((a, b) => a.position - b.position)
    .flatMap((area): Step[] => {
      const own = asked.filter(({ area_key }) => area_key === area.key);
      if (own.length === 0) return [];
      const questions = own.map((question, index): Step => {
        // A first look has one question per area, so number it within the whole quiz.
        const place = kind === 'first_look' ? asked.indexOf(question) : index;
        const of = kind === 'first_look' ? asked.length : own.length;
        return { name: 'question', area, question, number: place + 1, of };
      });
      return kind === 'full' ? [...questions, { name: 'confidence', area }] : questions;
    });
  return [...steps, { name: 'review' }];
}

export const questionStep = (key: string) => `question:${key}`;
export const areaStep = (key: string) => `confidence:${key}`;

/** The id of a step: `question:<key>`, `confidence:<area>`, `review`. */
export function stepId(step: Step): string {
  if (step.name === 'question') return questionStep(step.question.key);
  return step.name === 'confidence' ? areaStep(step.area.key) : 'review';
}

/** Answers and ratings by their keys. */
export const givenIn = (stored: { answers: Answer[]; confidences: Confidence[] }): Given => ({
  answers: new Map(stored.answers.map((answer) => [answer.question_key, answer])),
  ratings: new Map(stored.confidences.map(({ area_key, rating }) => [area_key, rating])),
});

/** Whether a step is complete. */
export function isDone(step: Step, { answers, ratings }: Given): boolean {
  if (step.name === 'question') return answers.has(step.question.key);
  return step.name === 'confidence' && ratings.has(step.area.key);
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
