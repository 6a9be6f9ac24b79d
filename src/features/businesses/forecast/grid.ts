/** The forecast's grid: its lines, where the keys lead, and what's copied and pasted. */
import {
  type Cell,
  type Figures,
  type Forecast,
  type ForecastRow,
  MONTHS,
  rowsOf,
} from '#domain/forecast.ts';
import { plainText, readCents } from './amounts.ts';

/** A line of the grid: a row that's filled in, or a total. */
export interface Line {
  key: string;
  label: string;
  amounts: readonly (number | null)[];
  /** Null for totals. */
  row: ForecastRow | null;
}

/** A place in the grid: a line, and a month or, at -1, the line's name. */
export interface Place {
  line: number;
  month: number;
}

/** The lines from top to bottom. */
export function linesOf(forecast: Forecast, figures: Figures): Line[] {
  const rows = (side: 'in' | 'out') =>
    rowsOf(forecast, side).map((row) => ({
      key: row.id,
      label: row.name,
      amounts: row.amounts,
      row,
    }));
  const total = (key: string, label: string, amounts: readonly number[]) => ({
    key,
    label,
    amounts,
    row: null,
  });
  return [
    ...rows('in'),
    total('total-in', 'Total in', figures.in),
    ...rows('out'),
    total('total-out', 'Total out', figures.out),
    total('total-net', 'In minus out', figures.net),
    total('total-opens', 'Balance at the start', figures.opens),
    total('total-closes', 'Balance at the end', figures.closes),
  ];
}

const between = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, value));

/** The leftmost place of a line: the name of a row is a button, that of a total isn't. */
const firstOf = (line: Line | undefined) => (line?.row ? -1 : 0);

/** Where a key leads from a place; null if it isn't one that moves. */
export function placeAfter(
  lines: readonly Line[],
  { line, month }: Place,
  key: string,
  isControl: boolean,
): Place | null {
  const last = lines.length - 1;
  const to = (nextLine: number, nextMonth: number): Place => {
    const kept = between(nextLine, 0, last);
    return { line: kept, month: between(nextMonth, firstOf(lines[kept]), MONTHS - 1) };
  };
  switch (key) {
    case 'ArrowUp':
      return isControl ? to(0, month) : to(line - 1, month);
    case 'ArrowDown':
      return isControl ? to(last, month) : to(line + 1, month);
    case 'ArrowLeft':
      return isControl ? to(line, 0) : to(line, month - 1);
    case 'ArrowRight':
      return isControl ? to(line, MONTHS - 1) : to(line, month + 1);
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
  let { line, month } = from;
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

export const rangeOf = (one: Place, other: Place): Range => ({
  lines: [Math.min(one.line, other.line), Math.max(one.line, other.line)],
  months: [Math.max(0, Math.min(one.month, other.month)), Math.max(0, one.month, other.month)],
});

export const isIn = ({ lines, months }: Range, { line, month }: Place): boolean =>
  line >= lines[0] && line <= lines[1] && month >= months[0] && month <= months[1];

/** The numbers from one to another, both included. */
const span = ([first, last]: [number, number]) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The selected cells that can be filled in. */
export const cellsIn = (lines: readonly Line[], { lines: rows, months }: Range): Cell[] =>
  span(rows).flatMap((line) => {
    const row = lines[line]?.row;
    return row ? span(months).map((month) => ({ row: row.id, month })) : [];
  });

/** A selection as spreadsheets take it: tabs between cells, a line for each row. */
export const copyText = (lines: readonly Line[], { lines: rows, months }: Range): string =>
  span(rows)
    .map((line) =>
      span(months)
        .map((month) => plainText(lines[line]?.amounts[month] ?? null))
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
      const month = range.months[0] + at;
      if (row && month < MONTHS) put({ row: row.id, month }, value);
      else if (value.trim() !== '') pasted.leftOut += 1;
    });
  });
  return pasted;
}

/** Copies the first selected month of each row over the others; to the last month if it's just one. */
export function fillRight(lines: readonly Line[], { lines: rows, months }: Range): CellChange[] {
  const [first, last] = months;
  const end = first === last ? MONTHS - 1 : last;
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
