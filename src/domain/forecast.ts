/**
 * The cash forecast of a business: twelve months of money in and out, the balance they leave, and
 * what-ifs as layers on top that never change the figures under them. Amounts are whole cents.
 */

/** How many months a forecast covers. */
export const MONTHS = 12;
/** The most rows of each side, the most months that are kept once they're over. */
export const MOST_ROWS = 30;
export const MOST_PAST = 24;
/** The largest amount, either way: a billion dollars. */
export const MOST_CENTS = 100_000_000_000;
/** The longest name of a row, in characters. */
export const LONGEST_NAME = 60;

export const SIDES = ['in', 'out'] as const;
export type Side = (typeof SIDES)[number];

/** What the what-ifs need to know about a row. The first two and "variable" follow sales. */
export const ROW_KINDS = {
  in: ['sale', 'invoice', 'funding'],
  out: ['variable', 'fixed'],
} as const satisfies Record<Side, readonly string[]>;
export type RowKind = (typeof ROW_KINDS)[Side][number];

export const ROW_KIND_LABELS: Record<RowKind, string> = {
  sale: 'Sales, paid right away',
  invoice: 'Sales, paid by invoice',
  funding: 'Other money (loans, refunds, your own)',
  variable: 'Goes up and down with sales',
  fixed: 'Doesn’t depend on sales',
};

export interface ForecastRow {
  /** Unique within the forecast; never reused. */
  id: string;
  side: Side;
  kind: RowKind;
  name: string;
  /** One for each month, in cents; null is blank, and counts as 0. */
  amounts: (number | null)[];
}

export interface WhatIf {
  /** A share of each month's invoices is paid some months later. */
  late: { on: boolean; percent: number; months: number };
  /** From a month on, prices change and customers buy more or less. In percent. */
  price: { on: boolean; from: string; percent: number; volume: number };
  /** From a month on, someone is paid, with the employer's taxes on top in percent. */
  hire: { on: boolean; from: string; cents: number; taxes: number };
}

/** A month that's over: what was planned, and what happened as far as it was entered. */
export interface PastMonth {
  /** `2026-12` */
  month: string;
  rows: { name: string; side: Side; planned: number | null; actual: number | null }[];
  /** The balance at its end: as planned, and in the bank. */
  planned: number;
  actual: number | null;
}

export interface Forecast {
  /** The first month: `2026-12`. */
  start: string;
  /** In the bank when the first month begins, in cents. */
  opening: number | null;
  /** The balance below which the owner acts, in cents. */
  floor: number | null;
  rows: ForecastRow[];
  whatIf: WhatIf;
  /** Oldest first. */
  past: PastMonth[];
}

// Months ------------------------------------------------------------------------------------------

/** Adds months: `addMonths('2026-12', 1)` is `2027-01`. */
export function addMonths(month: string, count: number): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
}

/** The twelve months of a forecast. */
export const monthsOf = (start: string): string[] =>
  Array.from({ length: MONTHS }, (_, index) => addMonths(start, index));

const NAMES =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** "December 2026" */
export const monthText = (month: string): string =>
  `${NAMES[Number(month.slice(5, 7)) - 1] ?? ''} ${month.slice(0, 4)}`;

/** "Dec 2026" */
export const shortMonthText = (month: string): string =>
  `${(NAMES[Number(month.slice(5, 7)) - 1] ?? '').slice(0, 3)} ${month.slice(0, 4)}`;

// A new forecast ----------------------------------------------------------------------------------

/** The rows of the method in the toolbox, which every forecast starts with. */
const FIRST_ROWS: readonly Pick<ForecastRow, 'id' | 'side' | 'kind' | 'name'>[] = [
  { id: 'sales', side: 'in', kind: 'sale', name: 'Sales paid right away' },
  { id: 'invoices', side: 'in', kind: 'invoice', name: 'Invoices that will be paid' },
  { id: 'funding', side: 'in', kind: 'funding', name: 'Loans, owner’s money, refunds' },
  { id: 'suppliers', side: 'out', kind: 'variable', name: 'Suppliers' },
  { id: 'wages', side: 'out', kind: 'fixed', name: 'Wages and payroll taxes' },
  { id: 'rent', side: 'out', kind: 'fixed', name: 'Rent and utilities' },
  { id: 'loans', side: 'out', kind: 'fixed', name: 'Loan payments' },
  { id: 'yearly', side: 'out', kind: 'fixed', name: 'Taxes, insurance, yearly bills' },
  { id: 'equipment', side: 'out', kind: 'fixed', name: 'Equipment' },
  { id: 'draw', side: 'out', kind: 'fixed', name: 'Owner’s draw' },
];

const blanks = (): null[] => Array.from({ length: MONTHS }, () => null);

/** An empty forecast that starts with the month after today (`2026-11-21`). */
export function newForecast(today: string): Forecast {
  const start = addMonths(today.slice(0, 7), 1);
  return {
    start,
    opening: null,
    floor: null,
    rows: FIRST_ROWS.map((row) => ({ ...row, amounts: blanks() })),
    whatIf: {
      late: { on: false, percent: 50, months: 1 },
      price: { on: false, from: start, percent: 5, volume: -5 },
      hire: { on: false, from: start, cents: 300_000, taxes: 10 },
    },
    past: [],
  };
}

// Figures -----------------------------------------------------------------------------------------

/** A row as it's counted. */
export type Amounts = readonly (number | null)[];

export interface Figures {
  months: string[];
  /** Each has one value per month, in cents. */
  in: number[];
  out: number[];
  /** In minus out. */
  net: number[];
  /** The balance at the start and at the end of each month. */
  opens: number[];
  closes: number[];
  /** The index of the month that ends with the least money; the first of several. */
  lowest: number;
  /** The indexes of the months that end below the floor; none without a floor. */
  below: number[];
}

const sumAt = (rows: readonly { amounts: Amounts }[], month: number) =>
  rows.reduce((sum, { amounts }) => sum + (amounts[month] ?? 0), 0);

/** Totals and balances of a forecast as it's entered, without its what-ifs. */
export function figuresOf({ start, opening, floor, rows }: Omit<Forecast, 'whatIf' | 'past'>) {
  const months = monthsOf(start);
  const side = (wanted: Side) => rows.filter((row) => row.side === wanted);
  const totals = { in: side('in'), out: side('out') };
  const [money, spent] = [totals.in, totals.out].map((of) => months.map((_, at) => sumAt(of, at)));
  const net = months.map((_, at) => (money?.[at] ?? 0) - (spent?.[at] ?? 0));
  const closes: number[] = [];
  for (const each of net) closes.push((closes.at(-1) ?? opening ?? 0) + each);
  const figures: Figures = {
    months,
    in: money ?? [],
    out: spent ?? [],
    net,
    opens: months.map((_, at) => (at === 0 ? (opening ?? 0) : (closes[at - 1] ?? 0))),
    closes,
    lowest: closes.indexOf(Math.min(...closes)),
    below: closes.flatMap((each, at) => (floor !== null && each < floor ? [at] : [])),
  };
  return figures;
}

/** Whether anything is filled in. */
export const isBlank = ({ rows, opening }: Forecast): boolean =>
  opening === null && rows.every(({ amounts }) => amounts.every((each) => each === null));

/** A percentage of an amount, in whole cents. */
const shareOf = (cents: number, percent: number) => Math.round((cents * percent) / 100) || 0;

/** The index of a month in a forecast: below 0 if it's over, 12 or more if it's later. */
const indexIn = (start: string, month: string) => {
  const at = (each: string) => Number(each.slice(0, 4)) * 12 + Number(each.slice(5, 7));
  return at(month) - at(start);
};

/** Changes the amounts of a row from a month on; blanks stay blank. */
const from = (row: ForecastRow, index: number, change: (cents: number) => number): ForecastRow => ({
  ...row,
  amounts: row.amounts.map((each, at) => (each === null || at < index ? each : change(each))),
});

function withPrice({ start, rows, whatIf: { price } }: Forecast): ForecastRow[] {
  const index = indexIn(start, price.from);
  const volume = 100 + price.volume;
  return rows.map((row) => {
    if (row.kind === 'variable') return from(row, index, (each) => shareOf(each, volume));
    if (row.kind !== 'sale' && row.kind !== 'invoice') return row;
    return from(row, index, (each) => shareOf(each, (volume * (100 + price.percent)) / 100));
  });
}

/** Moves a share of each month's invoices to later months; what's paid after the twelfth is left out. */
function withLatePayers(rows: readonly ForecastRow[], late: WhatIf['late']): ForecastRow[] {
  return rows.map((row) => {
    if (row.kind !== 'invoice') return row;
    const moved = row.amounts.map((each) => shareOf(each ?? 0, late.percent));
    return {
      ...row,
      amounts: row.amounts.map((each, at) => {
        const arrives = moved[at - late.months] ?? 0;
        return each === null && arrives === 0 ? null : (each ?? 0) - (moved[at] ?? 0) + arrives;
      }),
    };
  });
}

/** What a new hire costs a month, in cents. */
export const hireCost = ({ cents, taxes }: WhatIf['hire']): number => cents + shareOf(cents, taxes);

function withHire(rows: readonly ForecastRow[], start: string, hire: WhatIf['hire']) {
  const index = indexIn(start, hire.from);
  const amounts = monthsOf(start).map((_, at) => (at < index ? null : hireCost(hire)));
  const row: ForecastRow = { id: 'what-if', side: 'out', kind: 'fixed', name: 'New hire', amounts };
  return [...rows, row];
}

/** The forecast with its what-ifs that are on as ordinary amounts, in rows of their own or changed. */
export function withWhatIfs(forecast: Forecast): Forecast {
  const { whatIf, start } = forecast;
  let rows: ForecastRow[] = forecast.rows;
  // First the price, so that it's the new amounts that are paid late.
  if (whatIf.price.on) rows = withPrice(forecast);
  if (whatIf.late.on) rows = withLatePayers(rows, whatIf.late);
  if (whatIf.hire.on) rows = withHire(rows, start, whatIf.hire);
  return { ...forecast, rows };
}

export const hasWhatIf = ({ whatIf }: Pick<Forecast, 'whatIf'>): boolean =>
  whatIf.late.on || whatIf.price.on || whatIf.hire.on;

// Editing -----------------------------------------------------------------------------------------

/** A cell: a row's id and the index of a month. */
export interface Cell {
  row: string;
  month: number;
}

/** Sets cells, each to an amount or to blank. Cells that don't exist are skipped. */
export function setCells(
  forecast: Forecast,
  changes: readonly (Cell & { cents: number | null })[],
): Forecast {
  const byRow = Map.groupBy(changes, ({ row }) => row);
  return {
    ...forecast,
    rows: forecast.rows.map((row) => {
      const own = byRow.get(row.id);
      if (!own) return row;
      const amounts = [...row.amounts];
      for (const { month, cents } of own) if (month in amounts) amounts[month] = cents;
      return { ...row, amounts };
    }),
  };
}

/** Adds a blank row at the end of its side. */
export const addRow = (forecast: Forecast, row: Omit<ForecastRow, 'amounts'>): Forecast => ({
  ...forecast,
  rows: [...forecast.rows, { ...row, amounts: blanks() }],
});

export const changeRow = (
  forecast: Forecast,
  id: string,
  change: Partial<Pick<ForecastRow, 'name' | 'kind'>>,
): Forecast => ({
  ...forecast,
  rows: forecast.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
});

export const removeRow = (forecast: Forecast, id: string): Forecast => ({
  ...forecast,
  rows: forecast.rows.filter((row) => row.id !== id),
});

/** The rows of one side, in order. */
export const rowsOf = ({ rows }: Pick<Forecast, 'rows'>, side: Side): ForecastRow[] =>
  rows.filter((row) => row.side === side);

// A month is over ---------------------------------------------------------------------------------

/** What really happened in the first month: its amounts by row id, and the balance at its end. */
export interface Actuals {
  amounts: Record<string, number | null>;
  balance: number | null;
}

/**
 * Ends the first month: it's kept with what happened, everything moves up by one, and the new
 * twelfth month starts with what the same month was this year, as the method says. The balance in
 * the bank, or else the planned one, is where the next month begins.
 */
export function rollForward(forecast: Forecast, { amounts, balance }: Actuals): Forecast {
  const planned = figuresOf(forecast).closes[0] ?? 0;
  const past: PastMonth = {
    month: forecast.start,
    rows: forecast.rows.map(({ id, name, side, amounts: [first] }) => ({
      name,
      side,
      planned: first ?? null,
      actual: amounts[id] ?? null,
    })),
    planned,
    actual: balance,
  };
  return {
    ...forecast,
    start: addMonths(forecast.start, 1),
    opening: balance ?? planned,
    rows: forecast.rows.map((row) => ({
      ...row,
      amounts: [...row.amounts.slice(1), amounts[row.id] ?? row.amounts[0] ?? null],
    })),
    past: [...forecast.past, past].slice(-MOST_PAST),
  };
}

/** What really happened in a month that's over: the amounts of its rows, in order, and the balance. */
export interface CorrectedMonth {
  amounts: readonly (number | null)[];
  balance: number | null;
}

/**
 * Corrects what happened in a month that's over. If the forecast begins where that month ended, and
 * nobody has changed that since, it begins with the corrected balance.
 * @param month `2026-12`; one that isn't among those that are over changes nothing
 */
export function correctPast(
  forecast: Forecast,
  month: string,
  { amounts, balance }: CorrectedMonth,
): Forecast {
  const before = forecast.past.find((each) => each.month === month);
  if (!before) return forecast;
  const endOf = (actual: number | null) => actual ?? before.planned;
  const isCarried =
    addMonths(month, 1) === forecast.start && forecast.opening === endOf(before.actual);
  return {
    ...forecast,
    opening: isCarried ? endOf(balance) : forecast.opening,
    past: forecast.past.map((each) =>
      each.month === month
        ? {
            ...each,
            actual: balance,
            rows: each.rows.map((row, at) => ({ ...row, actual: amounts[at] ?? null })),
          }
        : each,
    ),
  };
}

/** The row of a past month that was off by most, with how much (actual minus planned); null if none. */
export function largestMiss({ rows }: PastMonth): { name: string; cents: number } | null {
  const misses = rows.flatMap(({ name, planned, actual }) =>
    actual === null ? [] : [{ name, cents: actual - (planned ?? 0) }],
  );
  const [most] = misses.toSorted((a, b) => Math.abs(b.cents) - Math.abs(a.cents));
  return most && most.cents !== 0 ? most : null;
}

// Comparing ---------------------------------------------------------------------------------------

export interface Difference {
  /** What differs: "Rent and utilities, March 2027", or "Floor". */
  what: string;
  /** In cents, or null for blank. */
  before: number | null;
  after: number | null;
}

/**
 * What changed from one version to a later one: amounts by row and calendar month, so that a
 * forecast that moved on by a month is compared month by month.
 */
export function differencesBetween(before: Forecast, after: Forecast): Difference[] {
  const list: Difference[] = [];
  const add = (what: string, one: number | null, other: number | null) => {
    if (one !== other) list.push({ what, before: one, after: other });
  };
  if (before.start === after.start) add('In the bank at the start', before.opening, after.opening);
  add('Floor', before.floor, after.floor);
  const earlier = new Map(before.rows.map((row) => [row.id, row]));
  const later = new Map(after.rows.map((row) => [row.id, row]));
  const months = [...new Set([...monthsOf(before.start), ...monthsOf(after.start)])].toSorted();
  for (const id of new Set([...earlier.keys(), ...later.keys()])) {
    const [one, other] = [earlier.get(id), later.get(id)];
    const name = other?.name ?? one?.name ?? '';
    for (const month of months) {
      const [was, is] = [indexIn(before.start, month), indexIn(after.start, month)];
      // A month that only one of them covers isn't a change.
      if (was < 0 || was >= MONTHS || is < 0 || is >= MONTHS) continue;
      add(`${name}, ${monthText(month)}`, one?.amounts[was] ?? null, other?.amounts[is] ?? null);
    }
  }
  return list;
}
