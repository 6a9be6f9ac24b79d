/** The order in which the quiz is walked through: pure rules about one version and one kind. */

import type { QuizArea, QuizQuestion, QuizVersion } from '#data/quiz.ts';
import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';
import { questionsAsked } from '#domain/scoring.ts';

export type Step =
  | { name: 'question'; area: QuizArea; question: QuizQuestion; number: number; of: number }
  /** How sure the owner is of the answers of an area. A first look does not ask. */
  | { name: 'confidence'; area: QuizArea }
  | { name: 'review' };

/** What is known so far, by question and by area. */
export type Given = {
  answers: ReadonlyMap<string, Answer>;
  ratings: ReadonlyMap<string, number>;
};

/** The questions, area after area, each area of a full quiz ending with its confidence. */
export function stepsOf(version: QuizVersion, kind: QuizKind): Step[] {
  const asked = questionsAsked(version, kind);
  const steps = version.areas
    .toSorted((a, b) => a.position - b.position)
    .flatMap((area): Step[] => {
      const own = asked.filter(({ area_key }) => area_key === area.key);
      if (own.length === 0) return [];
      const questions = own.map((question, index): Step => {
        // The first look has one question an area: there the place in the whole tells more.
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

/** Names a step: `question:<key>`, `confidence:<area>`, `review`. */
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

/** Where a person who comes back continues: the first step that is not done, or the review. */
export function resumeAt(steps: Step[], given: Given): Step {
  return steps.find((step) => !isDone(step, given)) ?? { name: 'review' };
}

/** The steps that were left out. */
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
