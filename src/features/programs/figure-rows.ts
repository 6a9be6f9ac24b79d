/** A program's totals as rows: for its tables, and for the CSV file. */
import type { ProgramFigures } from '#data/programs.ts';
import { money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';

export interface FigureRow {
  figure: string;
  value: string;
}

/** What stands in for a figure about fewer than five businesses. */
export const NOT_SHOWN = 'Not shown';

const signed = (value: number, words: (size: number) => string) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${words(Math.abs(value))}`;
const count = (value: number | null | undefined) =>
  value === null || value === undefined ? NOT_SHOWN : wholeText(value);

/** The figures with one value each. */
export function plainRows({
  joined,
  asked,
  started,
  finished,
  sessions,
  jobs,
  sales,
  survey,
}: ProgramFigures): FigureRow[] {
  const index = survey?.index ?? null;
  return [
    { figure: 'Businesses with a seat', value: count(joined?.businesses) },
    { figure: 'Asked for a coach', value: count(asked) },
    { figure: 'Had a first session', value: count(started) },
    { figure: 'Finished coaching', value: count(finished) },
    { figure: 'Sessions held', value: count(sessions?.value) },
    {
      figure: 'Change in jobs',
      value: jobs?.value == null ? NOT_SHOWN : signed(jobs.value, wholeText),
    },
    {
      figure: 'Change in yearly sales',
      value:
        sales?.value == null
          ? NOT_SHOWN
          : signed(sales.value, (cents) => money(Math.round(cents / 100_000) * 100_000, 'USD')),
    },
    {
      figure: 'Survey index, 0 to 100',
      value: index === null ? NOT_SHOWN : String(Math.round(index)),
    },
  ];
}

/** A skill, or all of them, with the median of the first and the latest quiz. */
export interface SkillRow {
  name: string;
  first: number;
  latest: number;
  atLeast: number;
}

export const skillRows = ({ overall, skills }: ProgramFigures): SkillRow[] => [
  ...(overall
    ? [
        {
          name: 'All skills',
          first: overall.first,
          latest: overall.latest,
          atLeast: overall.at_least,
        },
      ]
    : []),
  ...skills.map(({ name, first, latest, at_least }) => ({
    name,
    first,
    latest,
    atLeast: at_least,
  })),
];

/** A group of businesses: a postal area or an industry, or several small ones together. */
export interface GroupRow {
  name: string;
  businesses: number | null;
  sessions: number | null;
  /** The average change in the overall score; one decimal. */
  change: number | null;
}

/** Groups as the totals were added up, each with what's known of exactly this group. */
export function groupRows({ joined, sessions, overall }: ProgramFigures): GroupRow[] {
  const rows = new Map<string, GroupRow>();
  const rowOf = (labels: readonly string[]) => {
    const name = labels.join(', ');
    const row = rows.get(name) ?? { name, businesses: null, sessions: null, change: null };
    rows.set(name, row);
    return row;
  };
  for (const { labels, businesses } of joined?.groups ?? []) rowOf(labels).businesses = businesses;
  for (const { labels, value } of sessions?.groups ?? []) rowOf(labels).sessions = value;
  for (const { labels, change } of overall?.groups ?? []) rowOf(labels).change = change;
  const all = [...rows.values()];
  return all.length > 1 ? all : [];
}

const pointsText = (change: number) => signed(change, (size) => size.toFixed(1));
export const changeText = (change: number | null): string =>
  change === null ? NOT_SHOWN : pointsText(change);

/** Everything in one table, for a file. */
export const csvRows = (figures: ProgramFigures): FigureRow[] => [
  ...plainRows(figures),
  ...skillRows(figures).flatMap(({ name, first, latest }) => [
    { figure: `${name}: median of the first quiz`, value: String(first) },
    { figure: `${name}: median of the latest quiz`, value: String(latest) },
  ]),
  ...groupRows(figures).flatMap(({ name, businesses, sessions, change }) => [
    { figure: `${name}: businesses`, value: count(businesses) },
    { figure: `${name}: sessions held`, value: count(sessions) },
    { figure: `${name}: average change in the overall score`, value: changeText(change) },
  ]),
];

/** The latest day that any of the figures was made; null if there are none. */
export function madeOn({
  joined,
  sessions,
  overall,
  jobs,
  sales,
  skills,
}: ProgramFigures): string | null {
  const days = [joined, sessions, overall, jobs, sales, ...skills].flatMap(
    (figure) => figure?.made_on ?? [],
  );
  return days.toSorted().at(-1) ?? null;
}
