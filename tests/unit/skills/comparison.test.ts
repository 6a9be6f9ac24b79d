import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ComparedArea, Comparison, TrendPoint, Verdict } from '#data/skills.ts';
import { areaTrends, overallLines } from '#domain/trend.ts';
import {
  answerWords,
  comparedPetals,
  directionOf,
  limitWords,
  listed,
  movedWords,
  summaryOf,
} from '#features/skills/comparison.ts';

const moved: ComparedArea['changed'][number] = {
  question_key: 'q',
  practice: '',
  text: '',
  counts: true,
  earlier: { value: 1, applies: true, words: 'Once' },
  later: { value: 2, applies: true, words: 'Often' },
};
const area = (change: Partial<ComparedArea> = {}): ComparedArea => ({
  area_key: 'web',
  name: 'Web design',
  short_name: 'Web',
  asked: 4,
  same: 4,
  compared: 4,
  steps: 3,
  earlier: 50,
  later: 68.75,
  verdict: 'improved',
  changed: [moved],
  ...change,
});
const comparison = (areas: ComparedArea[]): Comparison => {
  const attempt = { id: 'a', submitted_at: '2026-11-01T00:00:00Z', version_number: 1 };
  return {
    earlier: { ...attempt, overall_score: 40 },
    later: { ...attempt, overall_score: 50 },
    areas,
  };
};

describe('What a comparison says', () => {
  test('It names what improved, what is lower, and what cannot be told', () => {
    const said = summaryOf(
      comparison([
        area(),
        area({ name: 'Growth strategy' }),
        area({ name: 'Sales and marketing', verdict: 'lower' }),
        area({ name: 'Operations', verdict: 'steady' }),
        area({ name: 'People', verdict: 'not-compared' }),
      ]),
    );
    expect(said).toBe(
      'Two of five areas improved: web design and growth strategy. Lower than before: sales and marketing. One shows no clear change. Not compared: people.',
    );
  });

  test('Where no area can be compared, it says why, and nothing about improving', () => {
    const none = comparison([area({ verdict: 'not-compared' }), area({ verdict: 'not-compared' })]);
    expect(summaryOf(none)).toBe('Too few questions were answered both times to compare any area.');
    const later = { ...none.later, version_number: 2 };
    expect(summaryOf({ ...none, later })).toMatch(
      /^The first result is from version 1 of the quiz and the second from version 2/,
    );
    expect(limitWords(area({ verdict: 'not-compared', same: 0, compared: 0 }))).toMatch(/^Its/);
    expect(limitWords(area({ verdict: 'not-compared', same: 1, compared: 1 }))).toMatch(
      /^Only one/,
    );
  });

  test('Only what the database calls improved is called so', () => {
    const verdicts = fc.constantFrom<Verdict>('improved', 'lower', 'steady', 'not-compared');
    fc.assert(
      fc.property(fc.array(verdicts, { minLength: 1, maxLength: 8 }), (given) => {
        const said = summaryOf(
          comparison(given.map((verdict, index) => area({ verdict, name: `Area ${index}` }))),
        );
        const sentence = /improved: ([^.]*)\./.exec(said)?.[1] ?? '';
        for (const [index, verdict] of given.entries()) {
          expect(sentence.includes(`area ${index}`)).toBe(verdict === 'improved');
        }
      }),
    );
  });

  test.each([
    [{}, '3 answer steps up, 50 to 69'],
    [{ steps: -1, later: 43.75 }, '1 answer step down, 50 to 44'],
    [{ steps: 0, later: 50 }, 'as many steps up as down, 50 to 50'],
    [{ steps: 0, later: 50, changed: [] }, 'Same answers, 50'],
    [{ steps: null, earlier: null, later: null }, null],
  ])('How far an area moved (%j): %s', (change, words) => {
    expect(movedWords(area(change))).toBe(words);
  });

  test.each<[Partial<ComparedArea>, string | null]>([
    [{}, null],
    [
      { same: 3, compared: 2 },
      'Based on two of four questions: one question has changed, one wasn’t answered both times.',
    ],
    [
      { same: 1, compared: 1, verdict: 'not-compared' },
      'Only one of its questions still means the same, which is too few.',
    ],
    [
      { compared: 1, verdict: 'not-compared' },
      'Too few of its questions were answered both times.',
    ],
  ])('What was left out of an area (%j): %s', (change, words) => {
    expect(limitWords(area(change))).toBe(words);
  });

  test('A blank is never a zero, in words neither', () => {
    const blank = { value: null, applies: null, words: null };
    const zero = { value: 0, applies: true, words: 'Not done' };
    const said = [blank, { ...blank, applies: false }, zero].map(answerWords);
    expect(said).toEqual(['Not answered', 'Doesn’t apply to us', 'Not done']);
    const answer = { question_key: 'q', practice: '', text: '', earlier: blank, later: zero };
    expect(directionOf({ ...answer, counts: false })).toBeNull();
    expect(directionOf({ ...answer, counts: true, earlier: { ...zero, value: 2 } })).toBe('down');
  });

  test('The petals are the compared scores, and the level is theirs', () => {
    const { petals, earlier } = comparedPetals(comparison([area({ later: 74.9 })]));
    expect(petals[0]).toMatchObject({ key: 'web', score: 74.9, level: 'established' });
    expect(earlier).toEqual([{ key: 'web', score: 50 }]);
  });

  test('A list reads as one', () => {
    expect(
      [[], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c and d']].map((names) => listed(names)),
    ).toEqual(['', 'a', 'a and b', 'a, b and c', 'a, b, and c and d']);
  });
});

describe('Results over time', () => {
  const point = (id: string, overall: number, meaning: string): TrendPoint => ({
    id,
    submitted_at: '2026-11-01T00:00:00Z',
    version_number: 1,
    overall_score: overall,
    areas: [
      { area_key: 'web', score: overall, meaning },
      { area_key: 'ops', score: overall, meaning: 'same' },
    ],
  });

  test('A line ends where the questions changed, and a new one begins', () => {
    const trend = [point('a', 10, 'x'), point('b', 20, 'x'), point('c', 30, 'y')];
    expect(overallLines(trend)).toEqual([
      [10, 20, null],
      [null, null, 30],
    ]);
    const [web, ops] = areaTrends(trend);
    expect(web?.values.map(({ joined }) => joined)).toEqual([false, true, false]);
    expect(ops?.values.map(({ joined }) => joined)).toEqual([false, true, true]);
  });

  test('Every result stands on exactly one line', () => {
    const points = fc.array(fc.tuple(fc.nat({ max: 100 }), fc.constantFrom('x', 'y')), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(points, (given) => {
        const trend = given.map(([score, meaning], index) => point(String(index), score, meaning));
        const lines = overallLines(trend);
        for (const [index, { overall_score }] of trend.entries()) {
          const values = lines.map((line) => line[index]).filter((value) => value !== null);
          expect(values).toEqual([overall_score]);
        }
      }),
    );
  });
});
