import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QuizQuestion, QuizVersion } from '#data/quiz.ts';
import type { Answer } from '#domain/attempt.ts';
import { questionsAsked } from '#domain/questions-asked.ts';
import {
  confidenceNote,
  overallScore,
  priorityOf,
  scoreArea,
  scoreAttempt,
} from '#domain/scoring.ts';

type Given = number | 'no' | null;

function questionOf(area: string, index: number, over: Partial<QuizQuestion> = {}): QuizQuestion {
  return {
    key: `${area}.${index}`,
    area_key: area,
    practice: `Practice ${index}`,
    text: 'How is it done?',
    help: null,
    position: index,
    anchors: ['Not', 'Once', 'Sometimes', 'Regularly', 'Improved'],
    weight: 1,
    action: 'Do it once.',
    first_look: index === 1,
    ...over,
  };
}

/** Eight areas with four questions each, in reverse, because a database may return any order. */
function quiz(importances: number[] = []): QuizVersion {
  const areas = Array.from({ length: 8 }, (_, index) => ({
    key: `area-${index + 1}`,
    name: `Area ${index + 1}`,
    short_name: `A${index + 1}`,
    position: index + 1,
    importance: importances[index] ?? 1,
    skip: null,
  }));
  return {
    id: 'version',
    number: 1,
    title: 'Quiz',
    areas: areas.toReversed(),
    questions: areas
      .flatMap(({ key }) => [1, 2, 3, 4].map((index) => questionOf(key, index)))
      .toReversed(),
  };
}

const answerOf = (question_key: string, given: number | 'no'): Answer => ({
  question_key,
  value: given === 'no' ? null : given,
  applies: given !== 'no',
  answered_at: '2026-11-20T10:00:00.000Z',
});

/** Scores an area whose questions have these weights and answers; null is a blank. */
function area(given: Given[], { kind = 'full', weights = [] as number[], rating = 0 } = {}) {
  const questions = given.map((_, index) =>
    questionOf('sales', index + 1, { weight: weights[index] ?? 1 }),
  );
  const answers = given.flatMap((each, index) =>
    each === null ? [] : [answerOf(`sales.${index + 1}`, each)],
  );
  return scoreArea(
    'sales',
    questions,
    new Map(answers.map((answer) => [answer.question_key, answer])),
    kind as 'full' | 'first_look',
    rating || undefined,
  );
}

/** The same answer to all questions of an area. */
const allOf = (areaIndex: number, value: number): Answer[] =>
  [1, 2, 3, 4].map((index) => answerOf(`area-${areaIndex}.${index}`, value));

const value = fc.integer({ min: 0, max: 4 });
const given = fc.oneof(
  { weight: 5, arbitrary: value },
  fc.constant('no' as const),
  fc.constant(null),
);
const FIRST_LOOK = { kind: 'first_look' };

describe('The score of an area', () => {
  test.each<[string, Given[], Parameters<typeof area>[1], object]>([
    ['of answers 4, 3, 2 and 1 is 62.5', [4, 3, 2, 1], {}, { score: 62.5, level: 'established' }],
    ['counts twice what has twice the weight', [4, 0], { weights: [3, 1] }, { score: 75 }],
    ['takes no blank for a zero', [4, 4, 4, null], {}, { score: 100, answered: 3, applicable: 4 }],
    [
      'leaves out what does not apply',
      [2, 2, 'no', 'no'],
      {},
      { score: 50, applicable: 2, asked: 4 },
    ],
    ['needs three of four answers', [1, 1, 1, null], {}, { score: 25 }],
    ['is missing with two of four', [1, 1, null, null], {}, { score: null, level: null }],
    ['is missing with two of three', [1, 1, null, 'no'], {}, { score: null }],
    ['is missing where one question applies', [3, 'no', 'no', 'no'], {}, { score: null }],
    ['of one question is enough in a first look', [3], FIRST_LOOK, { score: 75, level: 'strong' }],
    ['is missing where nothing applies', ['no'], FIRST_LOOK, { score: null }],
    ['is missing without an answer', [null], FIRST_LOOK, { score: null }],
  ])('%s', (_, answers, options, result) => {
    expect(area(answers, options)).toMatchObject(result);
  });
});

describe('The weakest practice', () => {
  test.each<[string, Given[], number[], string | null]>([
    ['the lowest answer', [3, 1, 2, 4], [], 'sales.2'],
    ['then the heaviest question', [1, 1, 1, 4], [1, 2, 1, 1], 'sales.2'],
    ['then the first one', [2, 1, 1, 4], [], 'sales.2'],
    ['never a blank, or what does not apply', [null, 'no', 3, 4], [], 'sales.3'],
    ['none without an answer', [null, 'no'], [], null],
  ])('is %s', (_, answers, weights, key) => {
    expect(area(answers, { weights }).weakest_question_key).toBe(key);
  });
});

describe('The overall score', () => {
  test('It is the mean of the scored areas and needs six of them', () => {
    const scored = (...scores: (number | null)[]) => scores.map((score) => ({ score }));
    expect(overallScore(scored(10, 20, 30, 40, 50, 60, null, null))).toBe(35);
    expect(overallScore(scored(10, 20, 30, 40, 50, null, null, null))).toBeNull();
    expect(overallScore([])).toBeNull();
  });
});

describe('Confidence', () => {
  test.each<[number | null, number | undefined, string | null]>([
    [75, 5, 'check-the-evidence'],
    [75.001, 5, null],
    [25, 1, 'hidden-strength'],
    [24.999, 1, null],
    [null, 5, null],
    [40, undefined, null],
  ])('beside a score of %s, a rating of %s says %s', (score, rating, note) => {
    expect(confidenceNote(score, rating)).toBe(note);
  });
});

describe('Recommendations', () => {
  test('The weaker, the more important and the more overrated an area, the sooner it comes', () => {
    expect(priorityOf(40, 2, null)).toBe(120);
    expect(priorityOf(40, 2, 'hidden-strength')).toBe(120);
    expect(priorityOf(40, 2, 'check-the-evidence')).toBe(150);
  });

  test('An owner gets the three areas with the highest priority, each with its weakest practice', () => {
    const version = quiz([1, 1, 3, 1, 2, 1, 1, 1]);
    const answers = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((index) => allOf(index, index === 8 ? 0 : 2));
    const { recommendations } = scoreAttempt(version, 'full', answers, []);
    expect(recommendations).toEqual([
      { position: 1, area_key: 'area-3', priority: 150, reason_question_key: 'area-3.1' },
      { position: 2, area_key: 'area-5', priority: 100, reason_question_key: 'area-5.1' },
      { position: 3, area_key: 'area-8', priority: 100, reason_question_key: 'area-8.1' },
    ]);
  });

  test('An area that the owner overrates overtakes one that is as weak', () => {
    const answers = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((index) => allOf(index, 2));
    const rated = [{ area_key: 'area-7', rating: 5 }];
    const { recommendations } = scoreAttempt(quiz(), 'full', answers, rated);
    expect(recommendations.map(({ area_key }) => area_key)).toEqual(['area-7', 'area-1', 'area-2']);
  });

  test('An area without a score is not recommended, so that there may be fewer than three', () => {
    const { recommendations, overall_score } = scoreAttempt(quiz(), 'full', allOf(4, 0), []);
    expect(recommendations.map(({ area_key }) => area_key)).toEqual(['area-4']);
    expect(overall_score).toBeNull();
  });

  test('Whatever is answered, they are distinct scored areas, most urgent first', () => {
    const version = quiz([1, 2, 3, 1, 2, 3, 1, 2]);
    fc.assert(
      fc.property(
        fc.array(given, { minLength: 32, maxLength: 32 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }),
        (all, ratings) => {
          const answers = all.flatMap((each, index) =>
            each === null
              ? []
              : [answerOf(`area-${Math.floor(index / 4) + 1}.${(index % 4) + 1}`, each)],
          );
          const rated = ratings.map((rating, index) => ({ area_key: `area-${index + 1}`, rating }));
          const { scores, recommendations } = scoreAttempt(version, 'full', answers, rated);
          const known = scores.filter(({ score }) => score !== null);
          expect(recommendations.length).toBe(Math.min(3, known.length));
          expect(new Set(recommendations.map(({ area_key }) => area_key)).size).toBe(
            recommendations.length,
          );
          // Thirds aren't exact in binary, so round them to keep ties.
          const priorities = recommendations.map(({ priority }) => Math.round(priority * 1e9));
          expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
          for (const { area_key, reason_question_key } of recommendations) {
            expect(known.some((each) => each.area_key === area_key)).toBe(true);
            expect(reason_question_key.startsWith(`${area_key}.`)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('A first look', () => {
  test('It asks one question an area, in the order of the areas', () => {
    expect(questionsAsked(quiz(), 'first_look').map(({ key }) => key)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `area-${index}.1`),
    );
  });

  test('Eight answers give eight scores, one overall and three things to work on', () => {
    const answers = [4, 3, 2, 1, 0, 4, 3, 2].map((each, index) =>
      answerOf(`area-${index + 1}.1`, each),
    );
    const { scores, overall_score, recommendations } = scoreAttempt(
      quiz(),
      'first_look',
      answers,
      [],
    );
    expect(scores.map(({ score }) => score)).toEqual([100, 75, 50, 25, 0, 100, 75, 50]);
    expect(overall_score).toBe(59.375);
    expect(recommendations.map(({ area_key }) => area_key)).toEqual(['area-5', 'area-4', 'area-3']);
  });

  test('Answers to other questions of the full quiz change nothing in it', () => {
    const { scores } = scoreAttempt(quiz(), 'first_look', allOf(1, 4).slice(1), []);
    expect(scores[0]).toMatchObject({ score: null, answered: 0, asked: 1 });
  });
});
