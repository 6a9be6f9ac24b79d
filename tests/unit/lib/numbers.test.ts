import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';

const whole = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });

test('A whole number is written as Intl does', () => {
  fc.assert(
    fc.property(whole, (value) => {
      expect(wholeText(value)).toBe(value.toLocaleString('en-US'));
    }),
  );
});

test('Dollars are written as Intl does, without cents if there are none', () => {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay: 'stripIfInteger',
  });
  fc.assert(
    fc.property(whole, (minor) => {
      // A minus sign, where Intl has a hyphen.
      expect(money(minor, 'USD')).toBe(format.format(minor / 100).replace('-', '−'));
    }),
  );
});
