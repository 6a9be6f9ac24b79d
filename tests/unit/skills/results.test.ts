import { describe, expect, test } from 'vitest';
import type { AttemptView } from '#data/attempts.ts';
import {
  alternatives,
  areaResults,
  petalsOf,
  recommendedOf,
  whyNoOverall,
  whyNoScore,
  withSwap,
} from '#features/skills/results.ts';
import { attemptOf, quizVersionOf } from '../../fixtures/attempt.ts';

const AREAS = ['web', 'sales', 'people', 'finance', 'planning'];

/** Five areas of two questions; the first three are recommended, the last has no score. */
function results(
  weakest = 'finance.q1',
  kind: AttemptView['attempt']['kind'] = 'full',
): AttemptView {
  const version = quizVersionOf(...AREAS);
  const isScored = (area_key: string) => area_key !== 'planning';
  const weakestOf = (area_key: string) => (area_key === 'finance' ? weakest : `${area_key}.q1`);
  const parts = {
    answers: version.questions
      .filter(({ area_key }) => isScored(area_key))
      .map(({ key }) => ({
        question_key: key,
        value: key === 'finance.q2' ? 4 : 1,
        applies: true,
        answered_at: '2026-11-01T00:30:00Z',
      })),
    scores: AREAS.map((area_key) => ({
      area_key,
      score: isScored(area_key) ? 25 : null,
      level: isScored(area_key) ? ('developing' as const) : null,
      answered: isScored(area_key) ? 2 : 0,
      applicable: 2,
      asked: 2,
      confidence_note: null,
      weakest_question_key: isScored(area_key) ? weakestOf(area_key) : null,
    })),
    recommendations: AREAS.slice(0, 3).map((area_key, index) => ({
      position: index + 1,
      area_key,
      priority: 75,
      reason_question_key: `${area_key}.q1`,
      chosen_by: 'quiz' as const,
      toolbox_item: null,
    })),
  };
  return attemptOf(version, { kind, state: 'submitted' }, parts);
}

const recommended = () =>
  recommendedOf({ ...results(), comparison: null, focus: [], projects: [], others: [] });

const resultOf = (view: AttemptView, key: string) =>
  areaResults(view).find(({ area }) => area.key === key);

test('An area that was skipped says which answer skipped it, and isn’t short of answers', () => {
  const view = results();
  const skipping = {
    ...view,
    version: {
      ...view.version,
      areas: view.version.areas.map((area) => ({
        ...area,
        skip: { question: 'Any?', help: null },
      })),
    },
    scores: view.scores.map((score) => ({ ...score, applicable: score.answered })),
  };
  const planning = resultOf(skipping, 'planning');
  if (!planning) throw new Error('The area is missing.');
  expect(whyNoScore(planning, true)).toBe(
    'Your answer to “Any?” was no, so these questions were left out. That doesn’t count against you.',
  );
  expect(whyNoScore(planning, false)).toMatch(/^Their answer to “Any\?” was no/);
  expect(petalsOf(skipping).map(({ left_out }) => left_out)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
  // Without such a question, nobody answered no to it.
  const own = { ...planning, area: { ...planning.area, skip: null } };
  expect(whyNoScore(own, true)).toBe('None of its questions apply to this business.');
});

test('A swapped area has its weakest practice as the reason, and the others stay', () => {
  const { recommendations } = withSwap(recommended(), { position: 2, areaKey: 'finance' });
  expect(recommendations.map(({ area_key }) => area_key)).toEqual(['web', 'finance', 'people']);
  expect(recommendations[1]).toMatchObject({
    chosen_by: 'owner',
    reason_question_key: 'finance.q1',
  });
});

test('Only scored areas that are not recommended yet can be swapped in', () => {
  expect(alternatives(recommended()).map(({ key }) => key)).toEqual(['finance']);
});

test('An area is being worked on where an open project is about it', () => {
  const project = { id: 'p', title: 'T', due_on: null, task_count: 0, done_count: 0 };
  const { areas } = recommendedOf({
    ...results(),
    comparison: null,
    focus: [],
    projects: [{ ...project, area_key: 'sales' }],
    others: [],
  });
  expect(areas.filter(({ working }) => working).map(({ key }) => key)).toEqual(['sales']);
});

describe('Someone who reads results', () => {
  test.each([
    ['finance.q1', { chosen: 'Once', next: 'Regular' }],
    ['finance.q2', { chosen: 'Improved', next: null }],
  ])(
    'sees what was chosen in the weakest practice %s, and the next step up, which is never "sometimes"',
    (weakest, words) => {
      expect(resultOf(results(weakest), 'finance')?.weakest).toMatchObject(words);
    },
  );

  test('never sees a blank as a zero', () => {
    const planning = resultOf(results(), 'planning');
    expect(planning?.score.score).toBeNull();
    expect(planning?.answers.map(({ words }) => words)).toEqual(['Not answered', 'Not answered']);
    expect(whyNoOverall(4)).toContain('only 4 have a score');
  });

  test('of a first look sees its one question an area', () => {
    const looked = areaResults(results('finance.q1', 'first_look'));
    expect(looked.map(({ answers }) => answers.length)).toEqual([1, 1, 1, 1, 1]);
  });
});
