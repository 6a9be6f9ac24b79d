/**
 * A tool's spreadsheet: a sheet to fill in, and one with the worked example of its text, both with the same
 * formulas. Figures and words of the example are read from the text, so nothing is typed twice, and
 * what the formulas give has to be what the text prints.
 */
import { figuresIn, numberOf, plainText } from '#lib/content/figures.ts';
import type { Formula } from './formulas.ts';
import { dateIn, type Printed, printedIn, type TextTable, tablesOf } from './tool-tables.ts';

/** How a line's figure is shown. */
export const SHOWN = {
  dollars: '$#,##0',
  cents: '$#,##0.00',
  number: '#,##0',
  hundredths: '#,##0.00',
  tenths: '#,##0.0',
  percent: '0%',
  rate: '0.0%',
  date: 'mmmm d',
} as const;

/** A line with one figure, which the text has in a sentence. */
export interface Line {
  label: string;
  as: keyof typeof SHOWN;
  /** Words of the text with `#` for the figure; people fill in theirs. */
  given?: string;
  /** A figure that the text has in words, such as "seven years". */
  value?: number;
  /** Reads the figure from what it finds instead of taking it as it is. */
  read?: (figure: number) => number;
  formula?: Formula;
  /** Words of the text with `#` for what the formula gives. */
  says?: string;
  /** What the others lead to. */
  total?: boolean;
}

/** Lines whose figures are in the text's sentences. */
export interface LinesPart {
  heading: string;
  note?: string;
  lines: readonly Line[];
}

/** A table of the text. */
export interface TablePart {
  heading: string;
  note?: string;
  /** What a cell of the table says that no table before it does. */
  table: string;
  /** The text has the table only to be filled in, without an example. */
  isOnlyBlank?: boolean;
  /** What columns are called on the sheet, if their names in the text are the example's own. */
  titles?: Readonly<Record<string, string>>;
  /** A cell of another table with the same lines, whose columns are added. */
  join?: string;
  /** Which column names the lines, from 0. Columns before it number them. */
  labels?: number;
  /** Computed columns, by their names in the text. */
  columns?: Readonly<Record<string, Formula>>;
  /** Computed lines, by their names in the text. */
  lines?: Readonly<Record<string, Formula>>;
  /** The name of the line that adds up a list. */
  total?: string;
  /** Lines of the text that the sheet doesn't have. */
  without?: readonly string[];
  /** The year of its dates, if something is computed with them. */
  year?: number;
  /** Marks the figures of a line that are below a cell. */
  warn?: { line: string; below: string };
  /** Costs and hours that the text prints with a minus are filled in without it. */
  isUnsigned?: boolean;
  /** A column that the text has in a sentence, the same for all lines; people fill in theirs. */
  extra?: {
    name: string;
    before: string;
    given: string;
    read: (figure: number) => number;
    format: string;
  };
  /**
   * What people fill in: a list with so many empty lines, or a table with lines and columns of other
   * names, or more of them.
   */
  blank:
    | number
    | {
        lines?: readonly string[];
        columns?: readonly string[];
        /** What lines are called, if their names are the example's own. */
        names?: Readonly<Record<string, string>>;
        /** Columns whose words stay. */
        keep?: readonly string[];
      };
}

export type Part = LinesPart | TablePart;

export interface GridColumn {
  name: string;
  shown: string;
  /** Whether people write words in it. */
  hasWords: boolean;
  formula?: Formula | undefined;
}

export interface GridRow {
  name: string;
  shown: string;
  /** A line of a list, which is empty until it's filled in. */
  isRecord: boolean;
  formula?: Formula | undefined;
  /** Whether it's worked out from other lines. */
  isTotal: boolean;
  /** Whether it's what the others lead to: bold in the text. */
  isBold: boolean;
}

export interface GridCell {
  /** What is filled in. */
  value?: number | string;
  format?: string | undefined;
  isBlank?: boolean;
  /** What the text says it is, if it's computed. */
  printed?: Printed | string | undefined;
}

/** A part as it's laid out on one of the two sheets. */
export interface Grid {
  heading: string;
  note?: string | undefined;
  /** The name over the lines' names. */
  corner: string;
  columns: readonly GridColumn[];
  rows: readonly GridRow[];
  isList: boolean;
  warn?: TablePart['warn'];
  cell(row: GridRow, column: GridColumn): GridCell;
}

export type SheetKind = 'yours' | 'example';

/** The figure for `#` in words of a text. @throws an error if the text doesn't say them */
function figureIn(text: string, words: string): string {
  const found = figuresIn(text, words);
  if (typeof found === 'string') throw new Error(found);
  const [figure, ...others] = found;
  if (figure === undefined || others.length > 0) throw new Error(`“${words}” needs one #.`);
  return figure;
}

function gridOfLines({ heading, note, lines }: LinesPart, text: string, kind: SheetKind): Grid {
  const byName = new Map(lines.map((line) => [line.label, line]));
  return {
    heading,
    note,
    corner: '',
    columns: [{ name: '', shown: '', hasWords: false }],
    rows: lines.map(({ label, formula, total = false }) => {
      return {
        name: label,
        shown: label,
        isRecord: false,
        formula,
        isTotal: formula !== undefined,
        isBold: total,
      };
    }),
    isList: false,
    cell({ name }) {
      const line = byName.get(name);
      if (!line) throw new Error(`There’s no line “${name}”.`);
      const { as, given, read = (figure) => figure, says } = line;
      const format = SHOWN[as];
      if (kind === 'yours') return { format };
      const share = as === 'percent' || as === 'rate' ? 100 : 1;
      if (line.value !== undefined) return { format, value: line.value };
      if (given !== undefined) {
        return { format, value: read(numberOf(figureIn(text, given))) / share };
      }
      if (says === undefined) return { format };
      const printed = figureIn(text, says);
      const decimals = /\.(\d+)/.exec(printed)?.[1]?.length ?? 0;
      const within = 0.5 / 10 ** decimals / share;
      return { format, printed: { value: read(numberOf(printed)) / share, format, within } };
    },
  };
}

function tableWith(tables: readonly TextTable[], words: string): TextTable {
  const found = tables.find(({ head, rows }) =>
    [head, ...rows].some((cells) => cells.includes(words)),
  );
  if (!found) throw new Error(`No table of the text has a cell that says “${words}”.`);
  return found;
}

/** Lines of a list can have the same name, such as a date. */
const uniqueNames = (names: readonly string[]) =>
  names.map((name, index) => (names.indexOf(name) === index ? name : `${name}\n${index}`));

/** The names of a table's columns after its labels, and its cells by line and column. */
function readTable(part: TablePart, tables: readonly TextTable[], text: string) {
  const { labels = 0, extra, without = [], year, isUnsigned = false } = part;
  const found = [part.table, ...(part.join === undefined ? [] : [part.join])].map((words) =>
    tableWith(tables, words),
  );
  const [table] = found;
  if (!table) throw new Error('A part needs a table.');
  const cells = new Map<string, string>();
  const key = (row: string, column: string) => `${row}\n${column}`;
  const names: string[] = [];
  for (const { head, rows } of found) {
    const called = uniqueNames(rows.map((row) => row[labels] ?? ''));
    uniqueNames(head).forEach((column, index) => {
      if (index <= labels) return;
      if (names.includes(column)) throw new Error(`Two columns are called “${column}”.`);
      names.push(column);
      for (const [at, row] of rows.entries()) {
        cells.set(key(called[at] ?? '', column), row[index] ?? '');
      }
    });
  }
  const called = uniqueNames(table.rows.map((row) => row[labels] ?? ''));
  const rows = table.rows
    .map((row, at) => ({
      name: called[at] ?? '',
      shown: row[labels] ?? '',
      number: row.slice(0, labels).join(' '),
      isBold: table.bold[at] ?? false,
    }))
    .filter(({ shown }) => !without.includes(shown));
  if (extra) {
    const place = names.indexOf(extra.before);
    if (place < 0) throw new Error(`There’s no column “${extra.before}”.`);
    names.splice(place, 0, extra.name);
  }
  const added = (): Printed | undefined =>
    extra && {
      value: extra.read(numberOf(figureIn(text, extra.given))),
      format: extra.format,
      within: 0,
    };
  const printed = (row: string, column: string): Printed | string => {
    if (column === extra?.name) return row === part.total ? '' : (added() ?? '');
    const cell = cells.get(key(row, column)) ?? '';
    const figure = (year === undefined ? undefined : dateIn(cell, year)) ?? printedIn(cell);
    if (!figure) return cell;
    return isUnsigned ? { ...figure, value: Math.abs(figure.value) } : figure;
  };
  return { corner: table.head[labels] ?? '', names, rows, printed };
}

const formatIn = (cells: readonly (Printed | string)[]) =>
  cells.find((cell): cell is Printed => typeof cell === 'object')?.format;

/** What a column is called on a sheet. One without a name in the text has its title on both. */
function titleOf({ titles }: TablePart, kind: SheetKind, name: string): string {
  const [words = ''] = name.split('\n');
  const title = titles?.[name];
  return title !== undefined && (kind === 'yours' || words === '') ? title : words;
}

/** @throws an error if a formula is for a line or column that the text doesn't have */
function checkNames(part: TablePart, names: readonly string[], rows: readonly { name: string }[]) {
  const { columns = {}, lines = {}, total } = part;
  const column = Object.keys(columns).find((name) => !names.includes(name));
  if (column !== undefined) throw new Error(`The text has no column “${column}”.`);
  const line = [...Object.keys(lines), ...(total === undefined ? [] : [total])].find(
    (name) => !rows.some((row) => row.name === name),
  );
  if (line !== undefined) throw new Error(`The text has no line “${line}”.`);
}

function gridOfTable(
  part: TablePart,
  tables: readonly TextTable[],
  text: string,
  kind: SheetKind,
): Grid {
  const { corner, names, rows: inText, printed } = readTable(part, tables, text);
  const { blank, total, columns: columnFormulas = {}, lines: lineFormulas = {} } = part;
  const isList = typeof blank === 'number';
  const mine = kind === 'yours' && !isList ? blank : {};
  const inRow = (row: string) => names.map((column) => printed(row, column));
  const inColumn = (column: string) => inText.map(({ name }) => printed(name, column));
  const anyFormat = formatIn(inText.flatMap(({ name }) => inRow(name)));

  const shownAs = (name: string) => titleOf(part, kind, name);
  checkNames(part, names, inText);
  const columns = (mine.columns ?? names).map((name): GridColumn => {
    return {
      name,
      shown: shownAs(name),
      hasWords:
        names.includes(name) && columnFormulas[name] === undefined && !formatIn(inColumn(name)),
      formula: columnFormulas[name],
    };
  });
  const bold = new Set(inText.filter(({ isBold }) => isBold).map(({ name }) => name));
  const rowOf = (name: string, number = '', words = name): GridRow => ({
    name,
    shown: `${number && `${number}. `}${mine.names?.[name] ?? words}`,
    isRecord: isList && name !== total,
    formula: lineFormulas[name],
    isTotal: name === total || lineFormulas[name] !== undefined,
    isBold: name === total || bold.has(name),
  });
  const numbers = new Map(inText.map(({ name, number }) => [name, number]));
  const blanks = isList
    ? [
        ...Array.from({ length: blank }, (_, index) => rowOf(`\n${index}`)),
        ...(total === undefined ? [] : [rowOf(total)]),
      ]
    : (mine.lines ?? inText.map(({ name }) => name)).map((name) => rowOf(name, numbers.get(name)));
  const rows =
    kind === 'example'
      ? inText.map(({ name, number, shown }) => rowOf(name, number, shown))
      : blanks.map((row) => (row.isRecord ? { ...row, shown: '' } : row));

  return {
    heading: part.heading,
    note: part.note,
    corner: shownAs(corner),
    columns,
    rows,
    isList,
    warn: part.warn,
    cell(row, column) {
      const found =
        inText.some(({ name }) => name === row.name) && names.includes(column.name)
          ? printed(row.name, column.name)
          : '';
      const format =
        formatIn([found]) ??
        (isList ? formatIn(inColumn(column.name)) : (formatIn(inRow(row.name)) ?? anyFormat));
      const isBlank = row.name === total && found === '';
      if (kind === 'yours') {
        const kept = mine.keep?.includes(column.name) && typeof found === 'string' && found !== '';
        const words = { format: column.hasWords ? undefined : format, isBlank };
        return kept ? { ...words, value: found } : words;
      }
      const value = typeof found === 'object' ? found.value : found;
      return { format, printed: found, isBlank, ...(value !== '' && { value }) };
    },
  };
}

/** A tool's parts as they're laid out on a sheet. @param markdown the tool's text */
export function gridsOf(parts: readonly Part[], markdown: string, kind: SheetKind): Grid[] {
  const tables = tablesOf(markdown);
  const filled = tables.filter(({ rows }) =>
    rows.some((cells) => cells.slice(1).some((cell) => cell !== '')),
  );
  const text = plainText(markdown);
  return parts.flatMap((part) => {
    if (!('table' in part)) return [gridOfLines(part, text, kind)];
    if (part.isOnlyBlank && kind === 'example') return [];
    return [gridOfTable(part, part.isOnlyBlank ? tables : filled, text, kind)];
  });
}
