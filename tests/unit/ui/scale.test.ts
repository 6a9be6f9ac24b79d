import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTicks } from '#ui/charts/scale.ts';

test('Ticks are round numbers, few enough to read', () => {
  expect(roundTicks([0, 12_400], 4)).toEqual([0, 5_000, 10_000, 15_000]);
  expect(roundTicks([-600, 12_400], 4)).toEqual([-5_000, 0, 5_000, 10_000, 15_000]);
  expect(roundTicks([0.1, 0.3], 2)).toEqual([0.1, 0.2, 0.3]);
  expect(roundTicks([0, 0.07], 7)).toEqual([0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07]);
  expect(roundTicks([3, 3], 4)).toEqual([3]);
});

test('Ticks cover every domain, and aren’t many more than asked for', () => {
  const values = fc.tuple(
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
    fc.integer({ min: 2, max: 9 }),
  );
  fc.assert(
    fc.property(values, ([low, span, about]) => {
      const high = low + span;
      const ticks = roundTicks([low, high], about);
      const [first = Number.NaN, second = Number.NaN] = ticks;
      const slack = (second - first) * 1e-6;
      expect(ticks.length).toBeLessThanOrEqual(2 * about + 2);
      expect(first).toBeLessThanOrEqual(low + slack);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - slack);
    }),
  );
});
