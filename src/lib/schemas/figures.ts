/** What forms for a business's figures accept, and how that's stored. */
import * as v from 'valibot';
import { digitsOf, minorOf } from '../locale/money.ts';

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
export function snapshotOf(id: string, input: FiguresInput) {
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

/** Figures as the database has them; null is unknown. */
interface Known {
  taken_on: string;
  full_time: number | null;
  part_time: number | null;
  revenue_minor: number | null;
  profit_minor: number | null;
  currency: string | null;
}

/** The form's starting values: the figures to correct, or blank for new ones. */
export function inputOf(snapshot: Known | null, today: string, currency: string): FiguresInput {
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
