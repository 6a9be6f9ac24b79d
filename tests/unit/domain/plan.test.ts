import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLAN_FIELDS, PLAN_LONGEST, PRINT_SIZES, planProblem, printSizeOf } from '#domain/plan.ts';

const all = (text: string) => PLAN_FIELDS.map(() => text);

test('A short plan is printed large, a long one as large as one page allows', () => {
  expect(printSizeOf(all(''))).toBe(12);
  expect(printSizeOf(all('What’s hard, and who is it hard for?'))).toBe(12);
  const full = printSizeOf(all('plain words '.repeat(34).slice(0, PLAN_LONGEST)));
  expect(full).toBeGreaterThanOrEqual(6.5);
  expect(full).toBeLessThan(10);
});

test('More text is never printed larger', () => {
  fc.assert(
    fc.property(fc.nat(PLAN_LONGEST), fc.nat(PLAN_LONGEST), (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(printSizeOf(all('n'.repeat(more)))).toBeLessThanOrEqual(
        printSizeOf(all('n'.repeat(less))),
      );
    }),
  );
});

test('Whatever is within the limits has a size', () => {
  for (const sign of ['W', '漢', '😀', 'i', '\n']) {
    const text = sign.repeat(sign === '\n' ? 9 : PLAN_LONGEST / sign.length);
    expect(PRINT_SIZES).toContain(printSizeOf(all(text)));
  }
});

test('A field says how much is too much', () => {
  expect(planProblem('x'.repeat(400))).toBeNull();
  expect(planProblem(` ${'x'.repeat(400)} \n`)).toBeNull();
  expect(planProblem('x'.repeat(412))).toContain('12 too many');
  expect(planProblem(Array(11).fill('x').join('\n'))).toContain('ten lines');
});
