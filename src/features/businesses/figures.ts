/** Validation of the figures form, and the data for the charts. */
import * as v from 'valibot';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { shortCalendarDayText } from '#lib/locale/dates.ts';
import { digitsOf, minorOf } from '#lib/locale/money.ts';

/** The currencies to choose from, most common first. */
export const CURRENCIES = ['USD', 'MXN', 'CAD', 'EUR', 'GBP', 'AUD', 'JPY'].map((code) => ({
  value: code,
  label: code,
}));

/** The same limit as in the database. */
const MOST_PEOPLE = 1_000_000;

const wholeOf = (text: string) => (text === '' ? null : Number(text.replace(/[,\s]/g, '')));

const count = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(\d{1,3}([,\s]?\d{3})*|\d+)?$/, 'Enter a whole number of people, 0 or more.'),
  v.check((text) => !((wholeOf(text) ?? 0) > MOST_PEOPLE), 'Enter at most 1,000,000 people.'),
);

const text = v.pipe(v.string(), v.trim());

export const figuresInput = v.pipe(
  v.object({
    takenOn: v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d$/, 'Enter the date these figures are for.'),
    ),
    fullTime: count,
    partTime: count,
    revenue: text,
    profit: text,
    currency: v.string(),
  }),
  v.forward(
    v.check(
      ({ fullTime, partTime, revenue, profit }) => fullTime + partTime + revenue + profit !== '',
      'Enter at least one figure. Leave out anything you don’t know.',
    ),
    ['fullTime'],
  ),
  v.forward(
    v.check(
      ({ revenue, currency }) => revenue === '' || (minorOf(revenue, currency) ?? -1) >= 0,
      'Enter an amount, such as 48,600.',
    ),
    ['revenue'],
  ),
  v.forward(
    v.check(
      ({ profit, currency }) => profit === '' || minorOf(profit, currency) !== null,
      'Enter an amount, such as 3,400, with a minus sign for a loss.',
    ),
    ['profit'],
  ),
);

export type FiguresInput = v.InferOutput<typeof figuresInput>;

/** Converts the form's input to a snapshot: an empty field is null (unknown), never 0. */
export function snapshotOf(id: string, input: FiguresInput): NewSnapshot {
  const money = (text: string) => (text === '' ? null : minorOf(text, input.currency));
  const revenue = money(input.revenue);
  const profit = money(input.profit);
  return {
    id,
    taken_on: input.takenOn,
    full_time: wholeOf(input.fullTime),
    part_time: wholeOf(input.partTime),
    revenue_minor: revenue,
    profit_minor: profit,
    currency: revenue === null && profit === null ? null : input.currency,
  };
}

/** The form's starting values: the figures to correct, or blank for new ones. */
export function inputOf(snapshot: Snapshot | null, today: string, currency: string): FiguresInput {
  const text = (value: number | null) => (value === null ? '' : String(value));
  const used = snapshot?.currency ?? currency;
  const major = (minor: number | null) =>
    minor === null ? '' : (minor / 10 ** digitsOf(used)).toLocaleString('en-US');
  return {
    takenOn: snapshot?.taken_on ?? today,
    fullTime: text(snapshot?.full_time ?? null),
    partTime: text(snapshot?.part_time ?? null),
    revenue: major(snapshot?.revenue_minor ?? null),
    profit: major(snapshot?.profit_minor ?? null),
    currency: used,
  };
}

export interface FigureLines {
  title: string;
  unit: string;
  labels: string[];
  /** The time of each point, in milliseconds since 1970. */
  times: number[];
  series: { name: string; values: (number | null)[] }[];
}

/**
 * The charts of the figures: staff, and money in the currency of the newest amounts. A line needs
 * two values; amounts in other currencies leave a gap.
 */
export function linesOf(snapshots: readonly Snapshot[]): FigureLines[] {
  const days = snapshots.toReversed();
  const currency = snapshots.find((each) => each.currency !== null)?.currency ?? null;
  const major = (minor: number | null, of: Snapshot) =>
    minor === null || of.currency !== currency || currency === null
      ? null
      : minor / 10 ** digitsOf(currency);
  const labels = days.map(({ taken_on }) => shortCalendarDayText(taken_on));
  const times = days.map(({ taken_on }) => Date.parse(taken_on));
  const all: FigureLines[] = [
    {
      title: 'Annual revenue and profit',
      unit: currency === 'USD' ? '$' : (currency ?? ''),
      labels,
      times,
      series: [
        { name: 'Revenue', values: days.map((each) => major(each.revenue_minor, each)) },
        { name: 'Profit', values: days.map((each) => major(each.profit_minor, each)) },
      ],
    },
    {
      title: 'Staff',
      unit: '',
      labels,
      times,
      series: [
        { name: 'Full-time', values: days.map(({ full_time }) => full_time) },
        { name: 'Part-time', values: days.map(({ part_time }) => part_time) },
      ],
    },
  ];
  const drawn = (values: readonly (number | null)[]) => values.filter((each) => each !== null);
  return all.flatMap((lines) => {
    const series = lines.series.filter(({ values }) => drawn(values).length >= 2);
    return series.length === 0 ? [] : [{ ...lines, series }];
  });
}
