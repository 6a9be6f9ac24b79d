import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeRow, figuresOf, removeRow, rollForward } from '#domain/forecast.ts';
import {
  differenceOf,
  figureIn,
  pastLinesOf,
  pastMonthsOf,
  renamePast,
} from '#domain/forecast-past.ts';
import { exampleForecast } from '../../fixtures/forecast.ts';

const april = { sales: 1_000_000, invoices: 510_000, suppliers: 620_000, rent: 240_000 };
const after = rollForward(exampleForecast(), { amounts: april, balance: 600_000 });

describe('Months that are over', () => {
  test('are laid over the rows, with the totals that were planned', () => {
    const before = exampleForecast();
    const planned = figuresOf(before);
    const past = pastLinesOf(after);
    expect(pastMonthsOf(after)).toEqual(['2027-04']);
    expect(past.rows.get('sales')).toEqual([{ planned: 940_000, actual: 1_000_000 }]);
    expect(past.in[0]).toEqual({ planned: planned.in[0], actual: 1_510_000 });
    expect(past.out[0]?.planned).toBe(planned.out[0]);
    expect(past.net[0]?.planned).toBe(planned.net[0]);
    expect(past.opens[0]?.planned).toBe(before.opening);
    expect(past.closes).toEqual([{ planned: planned.closes[0], actual: 600_000 }]);
    expect(past.gone).toEqual([]);
  });

  test('show what moved the balance and is in no row, so that the month adds up', () => {
    // Wages were planned, and nobody said what was paid.
    const { opens, rest, in: ins, out, net } = pastLinesOf(after);
    const entered = april.suppliers + april.rent;
    const missing = (opens[0]?.actual ?? 0) + 1_510_000 - entered - 600_000;
    expect(missing).toBeGreaterThan(0);
    expect(rest.out).toEqual([{ planned: null, actual: missing }]);
    expect(rest.in).toEqual([{ planned: null, actual: null }]);
    expect(ins[0]?.actual).toBe(1_510_000);
    expect(out[0]?.actual).toBe(entered + missing);
    expect(net[0]?.actual).toBe(600_000 - (opens[0]?.actual ?? 0));
  });

  test('have no real total without a balance, while a row that was planned isn’t entered', () => {
    const open = pastLinesOf(rollForward(exampleForecast(), { amounts: april, balance: null }));
    expect(open.out[0]?.actual).toBeNull();
    expect(open.net[0]?.actual).toBeNull();
    expect(open.rest.out[0]?.actual).toBeNull();
    const nothing = rollForward(exampleForecast(), { amounts: {}, balance: null });
    expect(pastLinesOf(nothing).in[0]?.actual).toBeNull();
    // A balance alone says nothing of what came in and went out.
    const balanceOnly = rollForward(exampleForecast(), { amounts: {}, balance: 5 });
    expect(pastLinesOf(balanceOnly).out[0]?.actual).toBeNull();
  });

  test('keep the figures of a row that was removed, and give a renamed one its own', () => {
    const removed = pastLinesOf(removeRow(after, 'rent'));
    expect(removed.gone).toMatchObject([
      { side: 'out', name: 'Rent and utilities', figures: [{ actual: 240_000 }] },
    ]);
    const renamed = {
      ...changeRow(after, 'rent', { name: 'Shop' }),
      past: renamePast(after, 'rent', 'Shop'),
    };
    expect(pastLinesOf(renamed).rows.get('rent')).toMatchObject([{ actual: 240_000 }]);
    expect(pastLinesOf(renamed).gone).toEqual([]);
  });

  test('are the last twelve, oldest first', () => {
    let forecast = after;
    for (let month = 0; month < 14; month += 1)
      forecast = rollForward(forecast, { amounts: {}, balance: null });
    const months = pastMonthsOf(forecast);
    const { closes } = pastLinesOf(forecast);
    expect(months).toHaveLength(12);
    expect(months[0]).toBe('2027-07');
    expect(months.at(-1)).toBe('2028-06');
    expect(closes).toHaveLength(12);
  });

  test('each opening with what was planned, and with what happened, gives the balance', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (balance) => {
        const lines = pastLinesOf(rollForward(after, { amounts: april, balance }));
        for (const of of ['planned', 'actual'] as const) {
          lines.opens.forEach((opening, at) => {
            const figure = (name: 'in' | 'out' | 'net' | 'closes') => lines[name][at]?.[of] ?? 0;
            expect((opening[of] ?? 0) + figure('net')).toBe(figure('closes'));
            expect(figure('in') - figure('out')).toBe(figure('net'));
          });
        }
      }),
    );
  });
});

test('A difference counts nothing planned as zero, and says nothing if nothing was entered', () => {
  expect(differenceOf({ planned: null, actual: 500 })).toBe(500);
  expect(differenceOf({ planned: 800, actual: 500 })).toBe(-300);
  expect(differenceOf({ planned: 800, actual: null })).toBeNull();
  expect(figureIn({ planned: 800, actual: 500 }, 'planned')).toBe(800);
  expect(figureIn({ planned: 800, actual: 500 }, 'difference')).toBe(-300);
});
