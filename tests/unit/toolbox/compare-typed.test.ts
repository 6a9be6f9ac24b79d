import { describe, expect, test } from 'vitest';
import { compareTyped } from '#ui/calculators/compare.ts';

const then = { fixed: '10,000', price: '160', variable: '56' };

describe('An earlier version of a calculator', () => {
  test('is compared with today in a sentence, and figure by figure', () => {
    expect(compareTyped('break-even', then, { ...then, price: '150' })).toEqual({
      was: '97 sales a month',
      sentence: 'Now it’s 107 sales a month, 10 more.',
      figures: [
        'Fixed costs per month: $10,000',
        'Price of one sale: $160 then, $150 now',
        'Cost of one sale: $56',
      ],
    });
    const runway = { cash: '10000', income: '1000', costs: '2000' };
    expect(compareTyped('cash-runway', runway, { ...runway, cash: '9700' }).sentence).toBe(
      'Now it’s 9.7 months, 0.3 fewer.',
    );
    const price = { cost: '8', hours: '1', rate: '30', overhead: '25', margin: '20' };
    expect(compareTyped('price', price, { ...price, cost: '10' }).sentence).toMatch(
      /^Now it’s \$62\.50, \$3\.1\d more\.$/,
    );
  });

  test('says so if it’s the same, or isn’t complete', () => {
    expect(compareTyped('break-even', then, { ...then }).sentence).toBe('The same figures as now.');
    expect(compareTyped('break-even', then, { ...then, fixed: '10,001' }).sentence).toBe(
      'The same answer as now.',
    );
    expect(compareTyped('break-even', {}, then)).toMatchObject({
      was: 'Not filled in completely',
      sentence: 'Now it’s 97 sales a month.',
    });
    expect(compareTyped('break-even', then, { fixed: '1' }).sentence).toBe(
      'Now it’s not filled in completely.',
    );
  });

  test('is compared in words where the answer isn’t a number', () => {
    expect(compareTyped('break-even', then, { ...then, price: '50' }).sentence).toBe(
      'Now: No number of sales will cover your costs.',
    );
  });
});
