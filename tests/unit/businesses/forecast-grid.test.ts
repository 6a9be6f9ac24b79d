import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { figuresOf, rollForward, setCells } from '#domain/forecast.ts';
import { cellText, plainText, readCents } from '#features/businesses/forecast/amounts.ts';
import {
  cellsIn,
  copyText,
  fillRight,
  linesOf,
  NAME,
  paste,
  placeAfter,
  rangeOf,
  tabPlace,
} from '#features/businesses/forecast/grid.ts';
import { exampleForecast } from '../../fixtures/forecast.ts';

const forecast = exampleForecast();
const lines = linesOf(forecast, figuresOf(forecast));
const at = (line: number, month: number) => ({ line, month });
const one = (line: number, month: number) => rangeOf(at(line, month), at(line, month));

describe('An amount', () => {
  test.each([
    ['$1,234.50', 123_450],
    [' 1234 ', 123_400],
    ['(200)', -20_000],
    ['$ (200.00)', -20_000],
    ['-$15', -1_500],
    ['−15', -1_500],
    [' $ -   ', 0],
    ['-', 0],
    ['0', 0],
    ['', null],
    ['  ', null],
  ])('%s is read', (text, cents) => {
    expect(readCents(text)).toBe(cents);
  });

  test.each(['1.234,50', '12,50', 'abc', '1.999', '#REF!', '5%', '(5', '--5', '1e5'])(
    '%s isn’t one',
    (text) => {
      expect(readCents(text)).toBe('Not an amount');
    },
  );

  test('is at most a billion dollars', () => {
    expect(readCents('1,000,000,001')).toBe('Too large');
  });

  test('is read again from what the grid shows and copies', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }), (cents) => {
        expect(readCents(cellText(cents))).toBe(cents);
        expect(readCents(plainText(cents))).toBe(cents);
      }),
    );
  });
});

describe('Pasting', () => {
  test('lays a block over the rows, past the totals', () => {
    const { changes, problems, leftOut } = paste(lines, one(2, 0), '1\t2\n3\t4\n');
    expect(problems).toEqual([]);
    expect(leftOut).toBe(0);
    expect(changes).toEqual([
      { row: 'funding', month: 0, cents: 100 },
      { row: 'funding', month: 1, cents: 200 },
      { row: 'suppliers', month: 0, cents: 300 },
      { row: 'suppliers', month: 1, cents: 400 },
    ]);
  });

  test('says what can’t be read, and how many don’t fit', () => {
    const { changes, problems, leftOut } = paste(lines, one(0, 10), '1\t1.234,50\t3\r\n\t5\t');
    expect(changes).toEqual([
      { row: 'sales', month: 10, cents: 100 },
      { row: 'invoices', month: 10, cents: null },
      { row: 'invoices', month: 11, cents: 500 },
    ]);
    expect(problems).toEqual([
      { row: 'sales', month: 11, text: '1.234,50', reason: 'Not an amount' },
    ]);
    expect(leftOut).toBe(1);
  });

  test('skips the names of rows', () => {
    const pasted = paste(lines, one(0, 0), 'Shop\t1\nInvoices\t2');
    expect(pasted).toMatchObject({ hadNames: true, problems: [] });
    expect(pasted.changes.map(({ cents }) => cents)).toEqual([100, 200]);
  });

  test('fills the selection with one value', () => {
    const { changes } = paste(lines, rangeOf(at(0, 0), at(1, 1)), '$7.50');
    expect(changes).toHaveLength(4);
    expect(new Set(changes.map(({ cents }) => cents))).toEqual(new Set([750]));
  });

  test('reads what a spreadsheet quotes, because it has line breaks', () => {
    const { problems } = paste(lines, one(0, 0), '"two\nlines"\t1');
    expect(problems).toEqual([]);
  });

  test('what was copied changes nothing', () => {
    fc.assert(
      fc.property(fc.nat(1), fc.nat(11), fc.nat(11), (line, from, to) => {
        const range = rangeOf(at(0, from), at(line, to));
        const { changes } = paste(lines, range, copyText(lines, range, 'actual'));
        expect(setCells(forecast, changes)).toEqual(forecast);
      }),
    );
  });
});

test('Filling right repeats the first month: over the selection, or to the end', () => {
  const changes = fillRight(lines, one(0, 9));
  expect(changes).toEqual([
    { row: 'sales', month: 10, cents: null },
    { row: 'sales', month: 11, cents: null },
  ]);
  expect(fillRight(lines, rangeOf(at(0, 0), at(1, 2)))).toEqual([
    { row: 'sales', month: 1, cents: 940_000 },
    { row: 'sales', month: 2, cents: 940_000 },
    { row: 'invoices', month: 1, cents: 510_000 },
    { row: 'invoices', month: 2, cents: 510_000 },
  ]);
  // Nothing to the right of the last month, and totals aren't filled in.
  expect(fillRight(lines, one(0, 11))).toEqual([]);
  expect(fillRight(lines, one(3, 0))).toEqual([]);
});

describe('Keys', () => {
  test('lead around the grid and stop at its edges', () => {
    const last = lines.length - 1;
    const go = (line: number, month: number, key: string, ctrl = false) =>
      placeAfter(lines, at(line, month), key, ctrl);
    expect(go(0, 0, 'ArrowUp')).toEqual(at(0, 0));
    expect(go(0, 0, 'ArrowLeft')).toEqual(at(0, NAME));
    // A total's name isn't a button.
    expect(go(3, 0, 'ArrowLeft')).toEqual(at(3, 0));
    expect(go(2, NAME, 'ArrowDown')).toEqual(at(3, 0));
    expect(go(0, 11, 'ArrowRight')).toEqual(at(0, 11));
    expect(go(2, 5, 'Home')).toEqual(at(2, 0));
    expect(go(2, 5, 'End')).toEqual(at(2, 11));
    expect(go(2, 5, 'Home', true)).toEqual(at(0, 0));
    expect(go(2, 5, 'End', true)).toEqual(at(last, 11));
    expect(go(2, 5, 'a')).toBeNull();
  });

  test('lead to the months that are over, left of the first one', () => {
    const over = rollForward(
      rollForward(forecast, { amounts: { sales: 900_000 }, balance: null }),
      { amounts: {}, balance: null },
    );
    const all = linesOf(over, figuresOf(over));
    const go = (line: number, month: number, key: string, ctrl = false) =>
      placeAfter(all, at(line, month), key, ctrl);
    expect(go(0, 0, 'ArrowLeft')).toEqual(at(0, -1));
    expect(go(0, -2, 'ArrowLeft')).toEqual(at(0, NAME));
    expect(go(3, -2, 'ArrowLeft')).toEqual(at(3, -2));
    expect(go(0, NAME, 'ArrowRight')).toEqual(at(0, -2));
    expect(go(2, NAME, 'ArrowDown')).toEqual(at(3, -2));
    expect(go(0, 5, 'ArrowLeft', true)).toEqual(at(0, 0));
    expect(go(0, 0, 'ArrowLeft', true)).toEqual(at(0, -2));
    expect(tabPlace(all, at(0, -2), 1)).toEqual(at(0, 0));
    // They can be copied, and are never filled in, pasted over or cleared.
    const range = rangeOf(at(0, -2), at(0, 1));
    expect(copyText(all, range, 'actual').split('\t').slice(0, 2)).toEqual(['9000', '']);
    expect(copyText(all, range, 'difference').split('\t')[0]).toBe('-400');
    expect(cellsIn(all, range)).toHaveLength(2);
    expect(fillRight(all, rangeOf(at(0, -2), at(0, -1)))).toEqual([]);
    expect(fillRight(all, range).map(({ month }) => month)).toEqual([1]);
    expect(paste(all, range, '1\t2').changes.map(({ month }) => month)).toEqual([0, 1]);
  });

  test('Tab goes through what can be filled in, line by line, and out at the end', () => {
    expect(tabPlace(lines, at(0, 11), 1)).toEqual(at(1, 0));
    // Past the total.
    expect(tabPlace(lines, at(2, 11), 1)).toEqual(at(4, 0));
    expect(tabPlace(lines, at(4, 0), -1)).toEqual(at(2, 11));
    expect(tabPlace(lines, at(0, 0), -1)).toBeNull();
    expect(tabPlace(lines, at(10, 11), 1)).toBeNull();
  });
});
