import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf, minorOf, money, type Price, yearlySaving } from '#lib/locale/money.ts';

describe('An amount of money', () => {
  test.each([
    [28500, 'USD', '$285'],
    [9950, 'USD', '$99.50'],
    [0, 'USD', '$0'],
    [123456700, 'USD', '$1,234,567'],
    [500, 'JPY', '¥500'],
    [4999, 'EUR', '€49.99'],
    [-1350, 'USD', '−$13.50'],
    [-1350, 'EUR', '−€13.50'],
  ])('%i of %s reads %s', (minor, currency, text) => {
    expect(money(minor, currency)).toBe(text);
  });

  test.each([
    [28500, 'USD', '$285.00'],
    [28500, 'EUR', '€285.00'],
    [500, 'JPY', '¥500'],
    [9950, 'USD', '$99.50'],
  ])('In a column, %i of %s reads %s', (minor, currency, text) => {
    expect(money(minor, currency, true)).toBe(text);
  });

  test('What is read is the amount to the cent, whatever it is', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (minor) => {
        const read = Number(money(minor, 'USD').replace(/[$,]/g, ''));
        expect(Math.round(read * 100)).toBe(minor);
      }),
    );
  });
});

describe('An amount that somebody types', () => {
  test.each([
    ['48,600', 'USD', 4_860_000],
    ['$1,250.50', 'USD', 125_050],
    ['1250.5', 'USD', 125_050],
    ['-300', 'USD', -30_000],
    ['−$300', 'USD', -30_000],
    ['(300)', 'USD', -30_000],
    ['5 000', 'EUR', 500_000],
    ['500', 'JPY', 500],
    ['0', 'USD', 0],
  ])('%s in %s is %i', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor);
  });

  test.each(['', 'a lot', '1,2', '1.234', '(300', '--5', '1e9', '9'.repeat(13)])(
    '"%s" is none',
    (text) => {
      expect(minorOf(text, 'USD')).toBeNull();
    },
  );

  test('What is written is what is read again', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (minor) => {
        expect(minorOf(money(minor, 'USD'), 'USD')).toBe(minor);
      }),
    );
    expect(digitsOf('none')).toBe(2);
  });
});

test.each<[Price[], number | null]>([
  [
    [
      { amount_minor: 7900, every: 'month' },
      { amount_minor: 79_000, every: 'year' },
    ],
    15_800,
  ],
  [
    [
      { amount_minor: 7900, every: 'month' },
      { amount_minor: 94_800, every: 'year' },
    ],
    null,
  ],
  [[{ amount_minor: 7900, every: 'month' }], null],
  [[{ amount_minor: 100, every: 'once' }], null],
])('Paying a year ahead saves what twelve months cost more: %j, %s', (prices, saving) => {
  expect(yearlySaving(prices)).toBe(saving);
});
