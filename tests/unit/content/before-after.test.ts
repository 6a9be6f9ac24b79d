import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseStudySchema } from '#collections/pages.ts';
import { barsOf, namesOf, worthOf, zeroOf } from '#lib/content/before-after.ts';
import { checked } from './content-files.ts';

test.each([
  ['4 of 6', 4 / 6],
  ['11 of 240', 11 / 240],
  ['3.1%', 3.1],
  ['$38,000', 38_000],
  ['+$736', 736],
  ['−$1,900', -1900],
  ['+$4,550', 4550],
])('%s is worth %d', (printed, worth) => {
  expect(worthOf(printed)).toBeCloseTo(worth, 6);
});

test('A figure without a number is refused', () => {
  expect(() => worthOf('none')).toThrow('There’s no number in “none”.');
});

test('What was lost is drawn to the left of zero, what was gained to the right', () => {
  const bars = barsOf({ label: 'End of March', before: '−$1,000', after: '+$3,000' });
  expect(bars).toEqual([
    { x: 0, width: 25 },
    { x: 25, width: 75 },
  ]);
});

test('Zero is marked where bars go to both sides of it', () => {
  const of = (before: string, after: string) => zeroOf({ label: 'Left in a month', before, after });
  expect(of('−$1,000', '+$3,000')).toBe(25);
  expect(of('$1,000', '$3,000')).toBeUndefined();
  expect(of('−$1,000', '−$3,000')).toBeUndefined();
  expect(of('$0', '$0')).toBeUndefined();
});

test('A plan and what came of it aren’t called before and after', () => {
  const figure = { label: 'Left in a month', before: '+$574', after: '−$1,697' };
  expect(namesOf(figure)).toEqual(['Before', 'After']);
  expect(namesOf({ ...figure, first: 'planned' })).toEqual(['Planned', 'Actual']);
  expect(namesOf({ ...figure, first: 'needed' })).toEqual(['Needed', 'Actual']);
});

test('A skill score is drawn to the 100 it could reach', () => {
  expect(barsOf({ label: 'Skill score', before: '20', after: '65' })).toEqual([
    { x: 0, width: 20 },
    { x: 0, width: 65 },
  ]);
});

test('Shares are drawn to the whole', () => {
  expect(barsOf({ label: 'People who left', before: '3 of 6', after: '1 of 4' })).toEqual([
    { x: 0, width: 50 },
    { x: 0, width: 25 },
  ]);
});

test('Two zeros draw nothing', () => {
  expect(barsOf({ label: 'Refunds', before: '$0', after: '$0' })).toEqual([
    { x: 0, width: 0 },
    { x: 0, width: 0 },
  ]);
});

test('The larger of two amounts is the longer bar, and none leaves its frame', () => {
  const amount = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(amount, amount, (before, after) => {
      const bars = barsOf({ label: 'Sales', before: `$${before}`, after: `$${after}` });
      for (const { x, width } of bars) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(100.1);
      }
      if (Math.abs(before) > 2 * Math.abs(after))
        expect(bars[0].width).toBeGreaterThanOrEqual(bars[1].width);
    }),
  );
});

test('Each figure of each case can be drawn', () => {
  const cases = checked('case-studies', caseStudySchema);
  expect(cases.length).toBeGreaterThanOrEqual(8);
  for (const { data } of cases)
    for (const figure of data.figures) expect(() => barsOf(figure)).not.toThrow();
});
