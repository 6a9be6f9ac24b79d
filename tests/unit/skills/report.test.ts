import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttemptView } from '#data/attempts.ts';
import { rankReason } from '#features/skills/rank.ts';
import { areaSentence, asYou, openingOf } from '#features/skills/report.ts';
import { areaResults } from '#features/skills/results.ts';
import { firstVersion, quiz, resultsOf, versions } from '../../fixtures/quiz-results.ts';

const sentence = (view: AttemptView, key: string, mine = true) => {
  const found = areaResults(view).find(({ area }) => area.key === key);
  return found ? areaSentence(found, mine) : null;
};

describe('An option, turned to its owner', () => {
  test.each([
    ['We look at the balance and hope', 'you look at the balance and hope'],
    ['Only one of us could do it at all', 'only one of you could do it at all'],
    ['Our pages say what we do and stop there', 'your pages say what you do and stop there'],
    [
      'We take someone we know and they watch us work',
      'you take someone you know and they watch you work',
    ],
    ['We file the US forms.', 'you file the US forms'],
  ])('%s', (option, words) => expect(asYou(option)).toBe(words));

  test('No option of any version leaves a "we" behind', () => {
    for (const { questions } of versions) {
      for (const option of questions.flatMap(({ anchors }) => anchors)) {
        expect(asYou(option)).not.toMatch(/\b(we|our|us|ourselves)\b/i);
      }
    }
  });
});

describe('The sentence about an area', () => {
  const values = (given: Record<string, number | null>) => (key: string) => given[key] ?? 2;

  test('says what’s furthest along and what holds it back', () => {
    const view = resultsOf(
      quiz,
      values({
        'financial-projection.monthly-profit-and-loss': 3,
        'financial-projection.cash-forecast': 0,
      }),
    );
    const [profit, cash] = ['monthly-profit-and-loss', 'cash-forecast'].map((name) =>
      quiz.questions.find(({ key }) => key === `financial-projection.${name}`),
    );
    const words = sentence(view, 'financial-projection');
    expect(words).toBe(
      `Furthest along is a monthly profit and loss statement, where ${asYou(profit?.anchors[3] ?? '')}; what holds this area back is a 12-month cash forecast, where ${asYou(cash?.anchors[0] ?? '')}.`,
    );
    // A coach reads the owner's words as a quote.
    expect(sentence(view, 'financial-projection', false)).toContain(`(“${cash?.anchors[0]}”)`);
  });

  test.each([
    [0, 'are still missing'],
    [1, 'have been tried once, or happen when something forces them'],
    [2, 'happen regularly, but aren’t written down'],
    [3, 'are regular and in writing'],
    [4, 'are measured and improved'],
  ])('with every answer at %i says that they %s', (value, words) => {
    expect(
      sentence(
        resultsOf(quiz, () => value),
        'web-design',
      ),
    ).toContain(words);
  });

  test('of version 1 says what the middle of its scale stood for', () => {
    const said = [1, 2].map((value) =>
      sentence(
        resultsOf(firstVersion, () => value),
        'web-design',
      ),
    );
    expect(said[0]).toContain('have been tried once:');
    expect(said[1]).toContain('happen now and then');
  });

  test('of a first look is about its one answer, and there’s none without answers', () => {
    const look = resultsOf(quiz, () => 2, { kind: 'first_look' });
    expect(sentence(look, 'web-design')).toMatch(/^The one answer here is about /);
    expect(
      sentence(
        resultsOf(quiz, () => null),
        'web-design',
      ),
    ).toBeNull();
  });

  test('is one whole sentence for any answers to any version', () => {
    let state = 7;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    for (let round = 0; round < 60; round++) {
      for (const version of versions) {
        const given = new Map(
          version.questions.map(({ key }) => [
            key,
            random() < 0.1 ? null : Math.floor(random() * 5),
          ]),
        );
        const view = resultsOf(version, (key) => given.get(key) ?? null);
        for (const result of areaResults(view)) {
          for (const mine of [true, false]) {
            const words = areaSentence(result, mine);
            if (words === null) continue;
            expect(words).toMatch(/^[A-Z][^\n]*[^.]\.$/);
            expect(words).not.toMatch(/undefined|null|\.\.|“”/);
          }
        }
      }
    }
  });
});

describe('Results open with', () => {
  const low = (weak: string) => (key: string) => (key.startsWith(weak) ? 0 : 3);

  test('one sentence, the strongest skill and the one constraint', () => {
    const view = resultsOf(quiz, low('sales-marketing'), { business_name: 'Copper & Pine' });
    const { sentence: first, strongest, constraint } = openingOf(view);
    expect(first).toBe(
      'Copper & Pine scores 66 out of 100: it’s strongest in web design and held back most by sales and marketing.',
    );
    expect(strongest?.area.key).toBe('web-design');
    expect(constraint?.area.key).toBe('sales-marketing');
    // The next step is level 3, not "once".
    const key = constraint?.weakest?.question.key;
    const question = quiz.questions.find((each) => each.key === key);
    expect(constraint?.weakest?.next).toBe(question?.anchors[3]);
  });

  test('no claim where there aren’t enough answers', () => {
    const { sentence: first, strongest, constraint } = openingOf(resultsOf(quiz, () => null));
    expect(first).toBe('Your business hasn’t given enough answers for a score yet.');
    expect([strongest, constraint]).toEqual([null, null]);
  });
});

describe('The reason an area ranks where it does', () => {
  test('explains why 25 comes before 0', () => {
    const view = resultsOf(quiz, (key) =>
      key.startsWith('web-design') ? 0 : key.startsWith('financial-projection') ? 1 : 4,
    );
    const results = areaResults(view);
    expect(rankReason('financial-projection', results)).toBe(
      'Ranked first of eight: 75 points to gain and an area that counts triple (75 × 3 = 225). Web design scores lower, but counts once (100 × 1 = 100).',
    );
    expect(rankReason('web-design', results)).toBe(
      'Ranked second of eight: 100 points to gain and an area that counts once (100 × 1 = 100).',
    );
  });

  test('counts overconfidence', () => {
    const view = resultsOf(
      quiz,
      (key) => (key.startsWith('web-design') ? 1 : 2),
      {},
      () => 5,
    );
    expect(rankReason('web-design', areaResults(view))).toBe(
      'Ranked eighth of eight: 75 points to gain, an area that counts once and a quarter more because confidence runs ahead of the answers (75 × 1 × 1.25 = 94).',
    );
  });

  test('adds up with the figures that it shows', () => {
    const chosen = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(chosen, (values) => {
        let at = 0;
        const results = areaResults(
          resultsOf(
            quiz,
            () => values[at++ % 64] ?? 0,
            {},
            () => 5,
          ),
        );
        const sums = results.flatMap(({ area }) => [
          ...(rankReason(area.key, results) ?? '').matchAll(/\(([\d. ×]+) = (\d+)\)/g),
        ]);
        expect(sums.length).toBeGreaterThan(0);
        for (const [, factors = '', product] of sums) {
          const value = factors.split(' × ').reduce((all, each) => all * Number(each), 1);
          expect(Math.round(value)).toBe(Number(product));
        }
      }),
    );
  });

  test('is missing without a score', () => {
    expect(rankReason('web-design', areaResults(resultsOf(quiz, () => null)))).toBeNull();
  });
});
