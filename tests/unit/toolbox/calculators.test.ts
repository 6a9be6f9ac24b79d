import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakEven } from '#ui/calculators/break-even.ts';
import { cashRunway } from '#ui/calculators/cash-runway.ts';
import { calculators, fieldText, readField } from '#ui/calculators/definitions.ts';
import { priceFor } from '#ui/calculators/price.ts';

/** Any amount that a field takes, in cents. */
const cents = fc.integer({ min: 0, max: 1e11 });
/** A share of 0 to 99.99%. */
const share = fc.integer({ min: 0, max: 9_999 }).map((parts) => parts / 1e4);

describe('Break-even', () => {
  test('is the fewest sales that pay the fixed costs', () => {
    fc.assert(
      fc.property(cents, cents, cents, (fixed, price, variable) => {
        const result = breakEven({ fixed, price, variable });
        if (result.name === 'never') return price <= variable;
        const { units, margin } = result;
        return units * margin >= fixed && (units === 0 || (units - 1) * margin < fixed);
      }),
    );
  });

  test.each([
    [30_00, 30_00, 'Each sale costs as much as it brings in'],
    [30_00, 34_50, 'Each sale costs $4.50 more than it brings in'],
  ])(
    'A price of %i against a cost of %i has none, and says so in words',
    (price, variable, words) => {
      const { headline, lines } = calculators['break-even'].answer({ fixed: 1, price, variable });
      expect(headline).toBe('No number of sales will cover your costs');
      expect(lines[0]).toContain(words);
    },
  );
});

describe('Cash runway', () => {
  test('promises no month that is not there, and hides less than a tenth of one', () => {
    fc.assert(
      fc.property(cents, cents, cents, (cash, income, costs) => {
        const result = cashRunway({ cash, income, costs });
        if (result.name === 'lasts') return income >= costs;
        const tenths = BigInt(Math.round(result.months * 10));
        const burnt = BigInt(result.shortfall);
        return tenths * burnt <= BigInt(cash) * 10n && (tenths + 1n) * burnt > BigInt(cash) * 10n;
      }),
    );
  });

  test.each([
    [0, '0 months'],
    [50_00, '0.5 months'],
    [100_00, '1 month'],
    [250_00, '2.5 months'],
  ])('With %i cents and 100 dollars a month going out it reads "%s"', (cash, words) => {
    const answer = calculators['cash-runway'].answer({ cash, income: 0, costs: 100_00 });
    expect(answer.headline).toBe(words);
  });

  test('never ends while as much comes in as goes out', () => {
    const answer = calculators['cash-runway'].answer({ cash: 0, income: 5, costs: 5 });
    expect(answer.headline).toBe('You won’t run out of cash');
  });
});

describe('A price', () => {
  test('leaves its margin, and a cent less would not', () => {
    const cost = fc.integer({ min: 0, max: 1e8 });
    const hours = fc.integer({ min: 0, max: 1_000 });
    fc.assert(
      fc.property(cost, hours, fc.nat(1e6), share, share, (cost, hours, rate, overhead, margin) => {
        const { price, full, left } = priceFor({ cost, hours, rate, overhead, margin });
        // Allow a thousandth of a cent for floating-point error.
        expect(price * (1 - margin)).toBeGreaterThan(full - 1e-3);
        if (price > 0) expect((price - 1) * (1 - margin)).toBeLessThan(full + 1e-3);
        expect(left).toBe(price - full);
      }),
    );
  });

  test('of nothing is nothing, not less', () => {
    const { headline, lines } = calculators.price.answer({});
    expect([headline, ...lines].join(' ')).not.toContain('-');
    expect(headline).toBe('$0');
  });
});

describe('A field', () => {
  test('reads back what it shows', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(readField(fieldText(amount, 'dollars'), 'dollars')).toBe(amount);
      }),
    );
    fc.assert(
      fc.property(share, (part) => {
        expect(readField(fieldText(part, 'percent'), 'percent')).toBeCloseTo(part, 12);
        expect(readField(fieldText(part, 'share'), 'share')).toBeCloseTo(part, 12);
      }),
    );
  });

  test.each([
    ['$1,234.50', 1_234_50],
    ['$ 85', 85_00],
    [' 1250 ', 1_250_00],
    ['1,250,000', 1_250_000_00],
    ['.5', 50],
    ['12.', 12_00],
  ])('takes "%s"', (text, amount) => {
    expect(readField(text, 'dollars')).toBe(amount);
  });

  test.each([
    ['', 'Enter a number'],
    ['$', 'Enter a number'],
    ['-5', 'zero or more'],
    ['−5', 'zero or more'],
    ['12,50', 'digits only'],
    ['1.234,50', 'digits only'],
    ['1,2,3', 'digits only'],
    ['1%2', 'digits only'],
    ['1e3', 'digits only'],
    ['.', 'digits only'],
    ['a lot', 'digits only'],
    ['9999999999', 'too large'],
  ])('answers "%s" in words', (text, words) => {
    expect(readField(text, 'dollars')).toContain(words);
  });

  test.each(['100', '100%', '250 %'])('takes no share of "%s"', (text) => {
    expect(readField(text, 'share')).toBe('Enter a margin below 100%.');
  });

  test('takes overhead that is larger than the cost it stands on', () => {
    expect(readField('100%', 'percent')).toBe(1);
    expect(readField('250', 'percent')).toBe(2.5);
    expect(readField('1,000,000', 'percent')).toContain('too large');
  });
});
