import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '#data/business-snapshots.ts';
import { withFigures } from '#features/businesses/business-store.ts';
import { linesOf } from '#features/businesses/figures.ts';
import { problemsOf } from '#lib/schemas/fields.ts';
import { figuresInput, inputOf, snapshotOf } from '#lib/schemas/figures.ts';

const snapshot = (taken_on: string, given: Partial<Snapshot> = {}): Snapshot => ({
  id: taken_on,
  taken_on,
  full_time: null,
  part_time: null,
  revenue_minor: null,
  profit_minor: null,
  currency: null,
  added_by: 'Olive',
  added_at: `${taken_on}T12:00:00Z`,
  corrections: 0,
  ...given,
});

const typed = {
  takenOn: '2026-06-30',
  fullTime: '1,200',
  partTime: '',
  revenue: '$48,600.50',
  profit: '-300',
  currency: 'USD',
};
const problems = (given: Partial<typeof typed>) =>
  problemsOf(v.safeParse(figuresInput, { ...typed, ...given }).issues ?? []);

describe('Figures that somebody types', () => {
  test('are stored in minor units, and what was left out is unknown', () => {
    expect(snapshotOf('one', typed)).toEqual({
      id: 'one',
      taken_on: '2026-06-30',
      full_time: 1200,
      part_time: null,
      revenue_minor: 4_860_050,
      profit_minor: -30_000,
      currency: 'USD',
    });
    expect(snapshotOf('one', { ...typed, revenue: '', profit: '' }).currency).toBeNull();
    expect(snapshotOf('one', { ...typed, profit: '0' }).profit_minor).toBe(0);
  });

  test.each([
    [{}, {}],
    [{ partTime: '1,000,000' }, {}],
    [{ fullTime: '2.5' }, { fullTime: 'Enter a whole number of people, 0 or more.' }],
    [{ partTime: '1,000,001' }, { partTime: 'Enter at most 1,000,000 people.' }],
    [{ partTime: 'six' }, { partTime: 'Enter a whole number of people, 0 or more.' }],
    [{ revenue: '-5' }, { revenue: 'Enter an amount, such as 48,600.' }],
    [{ revenue: 'a lot' }, { revenue: 'Enter an amount, such as 48,600.' }],
    [
      { profit: '1.2345' },
      { profit: 'Enter an amount, such as 3,400, with a minus sign for a loss.' },
    ],
    [{ takenOn: '' }, { takenOn: 'Enter the date these figures are for.' }],
    [
      { fullTime: '', partTime: '', revenue: '', profit: '' },
      { fullTime: 'Enter at least one figure. Leave out anything you don’t know.' },
    ],
  ])('are refused in words beside their field when they do not fit: %j', (given, words) => {
    expect(problems(given)).toEqual(words);
  });

  test('are those of the day at first, when they are corrected', () => {
    const stored = {
      taken_on: '2026-06-30',
      full_time: 3,
      part_time: null,
      revenue_minor: 4_860_050,
      profit_minor: -30_000,
      currency: 'EUR',
    };
    const input = inputOf(snapshot('2026-06-30', stored), '2026-11-21', 'USD');
    expect(snapshotOf('two', input)).toEqual({ ...stored, id: 'two' });
  });
});

describe('Figures over time', () => {
  test('are lines of what is known on two days at least, with gaps for the unknown', () => {
    const lines = linesOf([
      snapshot('2026-06-30', { full_time: 3, revenue_minor: 300_00, currency: 'USD' }),
      snapshot('2026-03-31', { full_time: null, revenue_minor: 200_00, currency: 'EUR' }),
      snapshot('2025-12-31', {
        full_time: 2,
        part_time: 1,
        revenue_minor: 100_00,
        currency: 'USD',
      }),
    ]);
    const times = ['2025-12-31', '2026-03-31', '2026-06-30'].map(Date.parse);
    expect(lines).toEqual([
      {
        title: 'Annual revenue and profit',
        unit: '$',
        labels: ['Dec 31, 2025', 'Mar 31, 2026', 'Jun 30, 2026'],
        times,
        // An amount in another currency can't be on the same line.
        series: [{ name: 'Revenue', values: [100, null, 300] }],
      },
      {
        title: 'Staff',
        unit: '',
        labels: ['Dec 31, 2025', 'Mar 31, 2026', 'Jun 30, 2026'],
        times,
        series: [{ name: 'Full-time', values: [2, null, 3] }],
      },
    ]);
    expect(linesOf([snapshot('2026-06-30', { full_time: 3 })])).toEqual([]);
    const [staff] = linesOf([
      snapshot('2026-06-30', { full_time: 3 }),
      snapshot('2024-11-26', { full_time: 2 }),
    ]);
    expect(staff?.labels).toEqual(['Nov 2024', 'Jun 2026']);
  });

  test.each([
    [
      '2026-03-31',
      [
        ['2026-06-30', null, 0],
        ['2026-03-31', 4, 1],
      ],
    ],
    [
      '2026-05-31',
      [
        ['2026-06-30', null, 0],
        ['2026-05-31', 4, 0],
        ['2026-03-31', 2, 0],
      ],
    ],
  ])('are listed newest first, and a correction replaces its day: %s', (day, rows) => {
    const shown = [snapshot('2026-06-30'), snapshot('2026-03-31', { full_time: 2 })];
    const now = withFigures(shown, snapshot(day, { full_time: 4 }));
    const figures = now.map(({ taken_on, full_time, corrections }) => [
      taken_on,
      full_time,
      corrections,
    ]);
    expect(figures).toEqual(rows);
  });
});
