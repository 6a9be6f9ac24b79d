/** The forecast's grid: its lines, where the keys lead, and what's copied and pasted. */
import {
  type Cell,
  type Figures,
  type Forecast,
  type ForecastRow,
  MONTHS,
  rowsOf,
  type Side,
} from '#domain/forecast.ts';
import { figureIn, type PastFigure, type PastView, pastLinesOf } from '#domain/forecast-past.ts';
import { plainText, readCents } from './amounts.ts';

/** A line of the grid: a row that's filled in, one that was removed, what's in none, or a total. */
export interface Line {
  key: string;
  label: string;
  /** The months that are over, oldest first. */
  past: readonly PastFigure[];
  amounts: readonly (number | null)[];
  /** Null for what can't be filled in. */
  row: ForecastRow | null;
  isTotal: boolean;
  /** Whether more of it is worse. */
  isCost: boolean;
}

/** The place of a line's name. */
export const NAME = -100;

/** A place in the grid: a line, and a month, below 0 if it's over (-1 is the last one), or `NAME`. */
export interface Place {
  line: number;
  month: number;
}

/** The lines from top to bottom. */
export function linesOf(forecast: Forecast, figures: Figures): Line[] {
  const past = pastLinesOf(forecast);
  const rows = (side: Side): Line[] => [
    ...rowsOf(forecast, side).map((row) => ({
      key: row.id,
      label: row.name,
      past: past.rows.get(row.id) ?? [],
      amounts: row.amounts,
      row,
      isTotal: false,
      isCost: side === 'out',
    })),
    ...past.gone
      .filter((row) => row.side === side)
      .map((row, at) => ({
        key: `gone-${side}-${at}`,
        label: `${row.name} (removed)`,
        past: row.figures,
        amounts: [],
        row: null,
        isTotal: false,
        isCost: side === 'out',
      })),
    ...restLine(side, past.rest[side]),
  ];
  const total = (name: 'in' | 'out' | 'net' | 'opens' | 'closes', label: string): Line => ({
    key: `total-${name}`,
    label,
    past: past[name],
    amounts: figures[name],
    row: null,
    isTotal: true,
    isCost: name === 'out',
  });
  return [
    ...rows('in'),
    total('in', 'Total in'),
    ...rows('out'),
    total('out', 'Total out'),
    total('net', 'In minus out'),
    total('opens', 'Balance at the start'),
    total('closes', 'Balance at the end'),
  ];
}

/** What moved the balance of months that are over without being in a row; none if nothing did. */
const restLine = (side: Side, past: readonly PastFigure[]): Line[] =>
  past.every(({ actual }) => actual === null)
    ? []
    : [
        {
          key: `rest-${side}`,
          label: 'Not in any row',
          past,
          amounts: [],
          row: null,
          isTotal: false,
          isCost: side === 'out',
        },
      ];

/** What's special about a month's balance, in words that are shown below it. */
export const marksOf = ({ lowest, below }: Figures, month: number): string[] => [
  ...(month === lowest ? ['lowest'] : []),
  ...(below.includes(month) ? ['below floor'] : []),
];

/** The oldest month that's over; 0 if none is. */
export const firstMonth = ([line]: readonly Line[]): number => 0 - (line?.past.length ?? 0);

/** What's planned for a month, or a figure of one that's over. */
export function amountAt({ past, amounts }: Line, month: number, view: PastView): number | null {
  if (month >= 0) return amounts[month] ?? null;
  const figure = past[past.length + month];
  return figure ? figureIn(figure, view) : null;
}

const between = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, value));

/** Where a key leads from a place; null if it isn't one that moves. */
export function placeAfter(
  lines: readonly Line[],
  { line, month }: Place,
  key: string,
  isControl: boolean,
): Place | null {
  const last = lines.length - 1;
  const first = firstMonth(lines);
  const to = (nextLine: number, nextMonth: number): Place => {
    const kept = between(nextLine, 0, last);
    // The name of a row is a button, that of a total isn't.
    if (nextMonth < first && lines[kept]?.row) return { line: kept, month: NAME };
    return { line: kept, month: between(nextMonth, first, MONTHS - 1) };
  };
  switch (key) {
    case 'ArrowUp':
      return isControl ? to(0, month) : to(line - 1, month);
    case 'ArrowDown':
      return isControl ? to(last, month) : to(line + 1, month);
    case 'ArrowLeft':
      return isControl ? to(line, month > 0 ? 0 : first) : to(line, month - 1);
    case 'ArrowRight':
      if (isControl) return to(line, MONTHS - 1);
      return to(line, month === NAME ? first : month + 1);
    case 'Home':
      return isControl ? to(0, 0) : to(line, 0);
    case 'End':
      return isControl ? to(last, MONTHS - 1) : to(line, MONTHS - 1);
    case 'PageUp':
      return to(0, month);
    case 'PageDown':
      return to(last, month);
    default:
      return null;
  }
}

/** The next place to fill in, or the one before it, line by line; null past the end. */
export function tabPlace(lines: readonly Line[], from: Place, by: 1 | -1): Place | null {
  let { line } = from;
  let month = Math.max(from.month, -1);
  for (;;) {
    month += by;
    if (month < 0 || month >= MONTHS) {
      line += by;
      month = by === 1 ? 0 : MONTHS - 1;
    }
    const at = lines[line];
    if (!at) return null;
    if (at.row) return { line, month };
  }
}

/** A selection: all places from one corner to the other. */
export interface Range {
  lines: [first: number, last: number];
  months: [first: number, last: number];
}

export function rangeOf(one: Place, other: Place): Range {
  const [from, to] = [one, other].map(({ month }) => (month === NAME ? 0 : month)) as [
    number,
    number,
  ];
  return {
    lines: [Math.min(one.line, other.line), Math.max(one.line, other.line)],
    months: [Math.min(from, to), Math.max(from, to)],
  };
}

export const isIn = ({ lines, months }: Range, { line, month }: Place): boolean =>
  line >= lines[0] && line <= lines[1] && month >= months[0] && month <= months[1];

/** The numbers from one to another, both included. */
const span = ([first, last]: [number, number]) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The selected cells that can be filled in. */
export const cellsIn = (lines: readonly Line[], { lines: rows, months }: Range): Cell[] =>
  span(rows).flatMap((line) => {
    const row = lines[line]?.row;
    const ahead = span(months).filter((month) => month >= 0);
    return row ? ahead.map((month) => ({ row: row.id, month })) : [];
  });

/** A selection as spreadsheets take it: tabs between cells, a line for each row. */
export const copyText = (
  lines: readonly Line[],
  { lines: rows, months }: Range,
  view: PastView,
): string =>
  lines
    .slice(rows[0], rows[1] + 1)
    .map((line) =>
      span(months)
        .map((month) => plainText(amountAt(line, month, view)))
        .join('\t'),
    )
    .join('\n');

export type CellChange = Cell & { cents: number | null };

/** A cell with text that isn't an amount. */
export type CellProblem = Cell & { text: string; reason: string };

export interface Pasted {
  changes: CellChange[];
  problems: CellProblem[];
  /** How many values didn't fit, below or to the right. */
  leftOut: number;
  /** Whether the first column had names, which were skipped. */
  hadNames: boolean;
}

/** Splits what a spreadsheet copies, with quotes around cells that contain line breaks. */
function split(text: string): string[][] {
  const bare = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const unquoted = bare.replace(/"((?:[^"]|"")*)"/g, (_, inside: string) =>
    inside.replaceAll('""', '"').replaceAll('\n', ' '),
  );
  return unquoted.split('\n').map((line) => line.split('\t'));
}

/**
 * Lays pasted text over the rows from the selection's first cell on, past the totals. One value
 * fills the whole selection. Blank cells are pasted too, as in a spreadsheet.
 */
export function paste(lines: readonly Line[], range: Range, text: string): Pasted {
  let table = split(text);
  const wide = Math.max(...table.map((cells) => cells.length));
  const isName = (cell = '') => cell.trim() !== '' && typeof readCents(cell) === 'string';
  const hadNames = wide > 1 && table.every(([first]) => isName(first));
  if (hadNames) table = table.map((cells) => cells.slice(1));
  const pasted: Pasted = { changes: [], problems: [], leftOut: 0, hadNames };
  const put = (cell: Cell, value: string) => {
    const cents = readCents(value);
    if (typeof cents !== 'string') pasted.changes.push({ ...cell, cents });
    else pasted.problems.push({ ...cell, text: value.trim(), reason: cents });
  };
  const [only] = table;
  if (table.length === 1 && only?.length === 1) {
    for (const cell of cellsIn(lines, range)) put(cell, only[0] ?? '');
    return pasted;
  }
  const rows = lines.slice(range.lines[0]).flatMap(({ row }) => row ?? []);
  table.forEach((cells, index) => {
    cells.forEach((value, at) => {
      const row = rows[index];
      const month = Math.max(0, range.months[0]) + at;
      if (row && month < MONTHS) put({ row: row.id, month }, value);
      else if (value.trim() !== '') pasted.leftOut += 1;
    });
  });
  return pasted;
}

/** Copies the first selected month of each row over the others; to the last month if it's just one. */
export function fillRight(lines: readonly Line[], { lines: rows, months }: Range): CellChange[] {
  const last = months[1];
  const end = months[0] === last ? MONTHS - 1 : last;
  if (last < 0) return [];
  const first = Math.max(0, months[0]);
  return span(rows).flatMap((line) => {
    const at = lines[line];
    if (!at?.row || first >= end) return [];
    const { id } = at.row;
    return span([first + 1, end]).map((month) => ({
      row: id,
      month,
      cents: at.amounts[first] ?? null,
    }));
  });
}
