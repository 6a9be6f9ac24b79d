/** The tables of a tool's text, and what their cells print. */
import { marked, type Token, type Tokens } from 'marked';
import { numberOf } from '#lib/content/figures.ts';

export interface TextTable {
  head: string[];
  rows: string[][];
  /** Whether a row's name is bold, by row. */
  bold: boolean[];
}

const words = (cell: Tokens.TableCell) =>
  cell.text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|&nbsp;/g, '')
    .trim();

/** The tables of a Markdown text, in their order. */
export function tablesOf(markdown: string): TextTable[] {
  const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
  return marked
    .lexer(markdown)
    .filter(isTable)
    .map(({ header, rows }) => ({
      head: header.map(words),
      rows: rows.map((cells) => cells.map(words)),
      bold: rows.map((cells) => cells.some(({ text }, at) => at < 2 && text.startsWith('**'))),
    }));
}

/** A printed figure: its number, how a spreadsheet shows it the same way, and how exactly it's printed. */
export interface Printed {
  value: number;
  format: string;
  /** Half of its last digit. */
  within: number;
}

const decimalsOf = (figure: string) => /\.(\d+)/.exec(figure)?.[1]?.length ?? 0;

/** What a cell prints, or undefined if that's words or nothing. */
export function printedIn(cell: string): Printed | undefined {
  const [, sign = '', dollar = '', digits, unit = ''] =
    /^([−+-]?)(\$?)(\d+(?:,\d{3})*(?:\.\d+)?)(%| cents| days)?$/.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  const number = numberOf(`${sign}${digits}`);
  const decimals = decimalsOf(digits);
  const within = 0.5 / 10 ** decimals;
  if (unit === '%') {
    const format = decimals > 0 ? `0.${'0'.repeat(decimals)}%` : '0%';
    return { value: number / 100, format, within: within / 100 };
  }
  if (unit === ' cents') return { value: number / 100, format: '$0.00', within: within / 100 };
  const plain = `${dollar}#,##0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
  const named = unit === '' ? plain : `${plain}"${unit}"`;
  const format = sign === '+' ? `+${named};-${named};${named}` : named;
  return { value: number, format, within };
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAY = 24 * 60 * 60 * 1000;

/** A day as spreadsheets count: in days since December 30, 1899. @param month from 1 */
export const dayNumber = (year: number, month: number, day: number) =>
  (Date.UTC(year, month - 1, day) - Date.UTC(1899, 11, 30)) / DAY;

export const DATE_FORMAT = 'mmmm d';

/** A cell such as "May 20", in a year; undefined if it isn't a date. */
export function dateIn(cell: string, year: number): Printed | undefined {
  const [, month = '', day] = /^([A-Z][a-z]+) (\d{1,2})$/.exec(cell) ?? [];
  const index = MONTHS.indexOf(month);
  if (day === undefined || index < 0) return undefined;
  return { value: dayNumber(year, index + 1, Number(day)), format: DATE_FORMAT, within: 0 };
}
