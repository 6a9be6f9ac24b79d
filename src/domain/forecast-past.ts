/** The months of a forecast that are over, laid over its rows as they are now. Amounts are cents. */
import { type Forecast, MONTHS, type PastMonth, type Side } from './forecast.ts';

/** What the columns of months that are over show. */
export const PAST_VIEWS = ['actual', 'planned', 'difference'] as const;
export type PastView = (typeof PAST_VIEWS)[number];

/** What was planned for a month, and what happened; null is blank, or wasn't entered. */
export interface PastFigure {
  planned: number | null;
  actual: number | null;
}

export interface PastRow {
  side: Side;
  name: string;
  figures: PastFigure[];
}

export interface PastLines {
  /** By the ids of the forecast's rows. */
  rows: ReadonlyMap<string, PastFigure[]>;
  /** Rows that had figures then and aren't in the forecast anymore. */
  gone: PastRow[];
  /** What moved the balance and wasn't entered in any row, by the side it must have been on. */
  rest: Record<Side, PastFigure[]>;
  in: PastFigure[];
  out: PastFigure[];
  net: PastFigure[];
  opens: PastFigure[];
  closes: PastFigure[];
}

/** What happened minus what was planned, where nothing planned is 0; null if it wasn't entered. */
export const differenceOf = ({ planned, actual }: PastFigure): number | null =>
  actual === null ? null : actual - (planned ?? 0);

/** The figure that a view shows. */
export const figureIn = (figure: PastFigure, view: PastView): number | null =>
  view === 'difference' ? differenceOf(figure) : figure[view];

const NOTHING: PastFigure = { planned: null, actual: null };

/** Names rows by side and name; the second of the same name is another one. */
function keysOf(rows: readonly { side: Side; name: string }[]): string[] {
  const seen = new Map<string, number>();
  return rows.map(({ side, name }) => {
    const key = `${side}/${name}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return `${key}/${count}`;
  });
}

const sumOf = ({ rows }: PastMonth, side: Side, of: 'planned' | 'actual') =>
  rows.reduce((all, row) => all + (row.side === side ? (row[of] ?? 0) : 0), 0);

/** What was in the bank when a month began: its plan begins with it. */
const openingOf = (month: PastMonth) =>
  month.planned - sumOf(month, 'in', 'planned') + sumOf(month, 'out', 'planned');

/**
 * How far the balance moved beyond what was entered: below 0 if more was spent. Null unless both the
 * balance and some row were entered.
 */
function restOf(month: PastMonth): number | null {
  if (month.actual === null || month.rows.every(({ actual }) => actual === null)) return null;
  const entered = sumOf(month, 'in', 'actual') - sumOf(month, 'out', 'actual');
  return month.actual - openingOf(month) - entered;
}

/** The part of it on one side. */
const restOn = (side: Side, rest: number) => Math.max(0, side === 'in' ? rest : -rest);

/**
 * The total of one side. What happened is known with the balance, which says what the rows leave out;
 * without it, if it was entered for each planned row.
 */
function totalOf(month: PastMonth, side: Side): PastFigure {
  const own = month.rows.filter((row) => row.side === side);
  const rest = restOf(month);
  const isKnown =
    rest !== null ||
    (own.some(({ actual }) => actual !== null) &&
      own.every(({ planned, actual }) => actual !== null || !planned));
  const actual = sumOf(month, side, 'actual') + restOn(side, rest ?? 0);
  return { planned: sumOf(month, side, 'planned'), actual: isKnown ? actual : null };
}

/** What's on one side and in no row, as a line of its own. */
function restFigure(month: PastMonth, side: Side): PastFigure {
  const cents = restOn(side, restOf(month) ?? 0);
  return cents === 0 ? NOTHING : { planned: null, actual: cents };
}

const minus = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one - other;

/** The months that are over and shown: the last twelve, oldest first. */
const shownOf = ({ past }: Pick<Forecast, 'past'>) => past.slice(-MONTHS);

/** The names of these months, such as `2027-04`. */
export const pastMonthsOf = (forecast: Pick<Forecast, 'past'>): string[] =>
  shownOf(forecast).map(({ month }) => month);

/** The figures of these months, in the same order. */
export function pastLinesOf({ rows, past }: Pick<Forecast, 'rows' | 'past'>): PastLines {
  const shown = shownOf({ past });
  const ids = new Map(keysOf(rows).map((key, at) => [key, rows[at]?.id ?? '']));
  const byId = new Map<string, PastFigure[]>();
  const gone = new Map<string, PastRow>();
  const blanks = () => shown.map(() => NOTHING);
  for (const { id } of rows) byId.set(id, blanks());
  shown.forEach((month, at) => {
    const keys = keysOf(month.rows);
    month.rows.forEach(({ side, name, planned, actual }, index) => {
      const key = keys[index] ?? '';
      const known = byId.get(ids.get(key) ?? '');
      if (known) known[at] = { planned, actual };
      else if (planned !== null || actual !== null) {
        const row = gone.get(key) ?? { side, name, figures: blanks() };
        row.figures[at] = { planned, actual };
        gone.set(key, row);
      }
    });
  });
  const ins = shown.map((month) => totalOf(month, 'in'));
  const outs = shown.map((month) => totalOf(month, 'out'));
  const net = shown.map((_, at) => ({
    planned: minus(ins[at]?.planned ?? null, outs[at]?.planned ?? null),
    actual: minus(ins[at]?.actual ?? null, outs[at]?.actual ?? null),
  }));
  return {
    rows: byId,
    gone: [...gone.values()],
    rest: {
      in: shown.map((month) => restFigure(month, 'in')),
      out: shown.map((month) => restFigure(month, 'out')),
    },
    in: ins,
    out: outs,
    net,
    opens: shown.map((month) => {
      const opening = openingOf(month);
      return { planned: opening, actual: opening };
    }),
    closes: shown.map(({ planned, actual }) => ({ planned, actual })),
  };
}

/** Renames a row in the months that are over too, so that its figures stay with it. */
export function renamePast(
  { rows, past }: Pick<Forecast, 'rows' | 'past'>,
  id: string,
  name: string,
): PastMonth[] {
  const key = keysOf(rows)[rows.findIndex((row) => row.id === id)];
  return past.map((month) => {
    const at = keysOf(month.rows).indexOf(key ?? '');
    if (at < 0) return month;
    return {
      ...month,
      rows: month.rows.map((row, index) => (index === at ? { ...row, name } : row)),
    };
  });
}
