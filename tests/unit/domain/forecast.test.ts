import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMonths,
  correctPast,
  differencesBetween,
  type Forecast,
  type ForecastRow,
  figuresOf,
  isBlank,
  largestMiss,
  MONTHS,
  monthsOf,
  newForecast,
  rollForward,
  setCells,
  type WhatIf,
  withWhatIfs,
} from '#domain/forecast.ts';
import { exampleForecast, exampleRow } from '../../fixtures/forecast.ts';

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, each) => total + (each ?? 0), 0);

const cents = fc.option(fc.integer({ min: -10_000_000, max: 10_000_000 }), { nil: null });
const amounts = fc.array(cents, { minLength: MONTHS, maxLength: MONTHS });
const row = (id: string): fc.Arbitrary<ForecastRow> =>
  fc
    .oneof(
      fc.record({
        side: fc.constant('in' as const),
        kind: fc.constantFrom('sale' as const, 'invoice' as const, 'funding' as const),
      }),
      fc.record({
        side: fc.constant('out' as const),
        kind: fc.constantFrom('variable' as const, 'fixed' as const),
      }),
    )
    .chain((of) => amounts.map((each) => ({ id, ...of, name: `Row ${id}`, amounts: each })));
const whatIf: fc.Arbitrary<WhatIf> = fc.record({
  late: fc.record({
    on: fc.boolean(),
    percent: fc.integer({ min: 0, max: 100 }),
    months: fc.integer({ min: 1, max: 6 }),
  }),
  price: fc.record({
    on: fc.boolean(),
    from: fc.integer({ min: -3, max: 14 }).map((by) => addMonths('2026-12', by)),
    percent: fc.integer({ min: -100, max: 200 }),
    volume: fc.integer({ min: -100, max: 200 }),
  }),
  hire: fc.record({
    on: fc.boolean(),
    from: fc.integer({ min: -3, max: 14 }).map((by) => addMonths('2026-12', by)),
    cents: fc.nat(1_000_000),
    taxes: fc.integer({ min: 0, max: 100 }),
  }),
});
const forecasts: fc.Arbitrary<Forecast> = fc
  .tuple(fc.nat(6), cents, cents, whatIf)
  .chain(([count, opening, floor, what]) =>
    fc
      .tuple(...Array.from({ length: count }, (_, id) => row(String(id))))
      .map((rows) => ({ start: '2026-12', opening, floor, rows, whatIf: what, past: [] })),
  );

test('The worked example of the tool comes out as its text says', () => {
  const { in: money, out, net, opens, closes } = figuresOf(exampleForecast());
  const first = (values: number[]) => values.slice(0, 4);
  expect(first(money)).toEqual(exampleRow('In'));
  expect(first(out)).toEqual(exampleRow('Out'));
  expect(first(net)).toEqual(exampleRow('In minus out'));
  expect(first(opens)).toEqual(exampleRow('Balance at the start'));
  expect(first(closes)).toEqual(exampleRow('Balance at the end'));
  const { lowest, below, months } = figuresOf({ ...exampleForecast(), floor: 545_000 });
  expect(months[lowest]).toBe('2027-06');
  // May, June and July, and the blank months after them.
  expect(below).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('Months go on over the end of a year, both ways', () => {
  expect(monthsOf('2026-11').slice(0, 3)).toEqual(['2026-11', '2026-12', '2027-01']);
  expect(addMonths('2027-01', -1)).toBe('2026-12');
  expect(newForecast('2026-12-31').start).toBe('2027-01');
  expect(isBlank(newForecast('2026-12-31'))).toBe(true);
});

test('Balances follow from one month to the next, whatever the amounts', () => {
  fc.assert(
    fc.property(forecasts, (forecast) => {
      const { opens, closes, net, in: money, out, lowest, below } = figuresOf(forecast);
      expect(opens[0]).toBe(forecast.opening ?? 0);
      for (let month = 0; month < MONTHS; month += 1) {
        expect(net[month]).toBe((money[month] ?? 0) - (out[month] ?? 0));
        expect(closes[month]).toBe((opens[month] ?? 0) + (net[month] ?? 0));
        if (month > 0) expect(opens[month]).toBe(closes[month - 1]);
        expect(below.includes(month)).toBe(
          forecast.floor !== null && (closes[month] ?? 0) < forecast.floor,
        );
      }
      expect(closes[lowest]).toBe(Math.min(...closes));
      expect(closes.indexOf(closes[lowest] ?? 0)).toBe(lowest);
      expect(closes.at(-1)).toBe((forecast.opening ?? 0) + sum(money) - sum(out));
    }),
  );
});

describe('A what-if', () => {
  test('never changes the figures under it, and changes nothing while it’s off', () => {
    fc.assert(
      fc.property(forecasts, (forecast) => {
        const before = structuredClone(forecast);
        withWhatIfs(forecast);
        expect(forecast).toEqual(before);
        const { late, price, hire } = forecast.whatIf;
        const off = {
          late: { ...late, on: false },
          price: { ...price, on: false },
          hire: { ...hire, on: false },
        };
        expect(withWhatIfs({ ...forecast, whatIf: off }).rows).toEqual(forecast.rows);
      }),
    );
  });

  test('of late payers loses no money: what isn’t paid within the year is still owed', () => {
    fc.assert(
      fc.property(forecasts, (forecast) => {
        const { late, price, hire } = forecast.whatIf;
        const only = {
          late: { ...late, on: true },
          price: { ...price, on: false },
          hire: { ...hire, on: false },
        };
        const changed = withWhatIfs({ ...forecast, whatIf: only });
        for (const [index, { kind, amounts: before }] of forecast.rows.entries()) {
          const after = changed.rows[index]?.amounts ?? [];
          if (kind !== 'invoice') expect(after).toEqual(before);
          else {
            const owed = before
              .slice(MONTHS - late.months)
              .map((each) => Math.round(((each ?? 0) * late.percent) / 100));
            expect(sum(after)).toBe(sum(before) - sum(owed));
          }
        }
      }),
    );
  });

  test('of late payers moves half of each invoice by a month', () => {
    const forecast = exampleForecast();
    forecast.whatIf.late = { on: true, percent: 50, months: 1 };
    const invoices = withWhatIfs(forecast).rows.find(({ id }) => id === 'invoices')?.amounts;
    // Of 5,100, 4,700, 5,600 and 6,300.
    expect(invoices?.slice(0, 5)).toEqual([255_000, 490_000, 515_000, 595_000, 315_000]);
  });

  test('of a price changes sales, and with them what depends on sales, from a month on', () => {
    const forecast = exampleForecast();
    forecast.whatIf.price = { on: true, from: '2027-05', percent: 10, volume: -20 };
    const rows = new Map(withWhatIfs(forecast).rows.map((each) => [each.id, each.amounts]));
    expect(rows.get('sales')?.slice(0, 2)).toEqual([940_000, 990_000 * 0.88]);
    expect(rows.get('suppliers')?.slice(0, 2)).toEqual([530_000, 550_000 * 0.8]);
    expect(rows.get('rent')).toEqual(forecast.rows.find(({ id }) => id === 'rent')?.amounts);
  });

  test('of a hire costs their pay with taxes from their first month on', () => {
    const forecast = exampleForecast();
    forecast.whatIf.hire = { on: true, from: '2027-06', cents: 300_000, taxes: 10 };
    const before = figuresOf(forecast);
    const after = figuresOf(withWhatIfs(forecast));
    expect(after.out.map((each, month) => each - (before.out[month] ?? 0))).toEqual([
      0,
      0,
      ...Array(10).fill(330_000),
    ]);
  });
});

describe('When a month is over', () => {
  const over = { amounts: { sales: 1_000_000, rent: 240_000 }, balance: 600_000 };

  test('everything moves up, from the balance in the bank', () => {
    const before = exampleForecast();
    const after = rollForward(before, over);
    expect(after).toMatchObject({ start: '2027-05', opening: 600_000 });
    const sales = after.rows[0]?.amounts ?? [];
    expect(sales.slice(0, 3)).toEqual([990_000, 820_000, 800_000]);
    // The same month a year later starts with what really happened, or else with what was planned.
    expect(sales[11]).toBe(1_000_000);
    expect(after.rows[1]?.amounts[11]).toBe(510_000);
    expect(after.past).toMatchObject([{ month: '2027-04', planned: 575_000, actual: 600_000 }]);
    expect(after.past.map(largestMiss)).toEqual([{ name: 'Sales paid right away', cents: 60_000 }]);
  });

  test('without a balance, the planned one goes on, and at most 24 months are kept', () => {
    let forecast = exampleForecast();
    forecast = rollForward(forecast, { amounts: {}, balance: null });
    expect(forecast.opening).toBe(575_000);
    expect(forecast.past.map(largestMiss)).toEqual([null]);
    for (let month = 0; month < 30; month += 1) {
      forecast = rollForward(forecast, { amounts: {}, balance: null });
    }
    expect(forecast.past).toHaveLength(24);
    expect(forecast.past[0]?.month).toBe('2027-11');
  });
});

describe('When what happened in a month that’s over is corrected', () => {
  const over = (balance: number | null) =>
    rollForward(exampleForecast(), { amounts: { sales: 1_000_000 }, balance });
  const amounts = exampleForecast().rows.map((_, at) => (at === 1 ? 480_000 : null));

  test('its figures are the new ones, and its plan stays', () => {
    const [before] = over(600_000).past;
    const [after] = correctPast(over(600_000), '2027-04', { amounts, balance: 590_000 }).past;
    expect(after?.actual).toBe(590_000);
    expect(after?.planned).toBe(before?.planned);
    expect(after?.rows.map(({ actual }) => actual)).toEqual(amounts);
    expect(after?.rows.map(({ planned }) => planned)).toEqual(
      before?.rows.map(({ planned }) => planned),
    );
  });

  test('the forecast begins with the corrected balance, unless someone has changed it since', () => {
    const correct = (of: Forecast) => correctPast(of, '2027-04', { amounts, balance: 590_000 });
    expect(correct(over(600_000)).opening).toBe(590_000);
    expect(correct(over(null)).opening).toBe(590_000);
    expect(correct({ ...over(600_000), opening: 1 }).opening).toBe(1);
    // Without a balance, the planned one goes on.
    const blank = correctPast(over(600_000), '2027-04', { amounts, balance: null });
    expect(blank.opening).toBe(575_000);
    // A month before the last one that's over doesn't touch where the forecast begins.
    const later = rollForward(over(600_000), { amounts: {}, balance: 600_000 });
    expect(correct(later).opening).toBe(600_000);
  });

  test('nothing changes for a month that isn’t over', () => {
    const forecast = over(600_000);
    expect(correctPast(forecast, '2027-05', { amounts, balance: 1 })).toEqual(forecast);
  });
});

test('Two versions are compared by month, even if one has moved on', () => {
  const before = exampleForecast();
  const after = setCells(before, [{ row: 'rent', month: 1, cents: 260_000 }]);
  expect(differencesBetween(before, after)).toEqual([
    { what: 'Rent and utilities, May 2027', before: 240_000, after: 260_000 },
  ]);
  const moved = rollForward(after, { amounts: {}, balance: null });
  expect(differencesBetween(before, moved)).toEqual([
    { what: 'Rent and utilities, May 2027', before: 240_000, after: 260_000 },
  ]);
  expect(differencesBetween(before, before)).toEqual([]);
});
