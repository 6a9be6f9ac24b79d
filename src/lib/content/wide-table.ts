/** When the rows of a table of an article or a tool are stacked on a phone. */
import { MOST } from './unbroken.ts';

/** The space between two columns, in characters. */
const GAP = 3;
/** What fits in a line of a table on a phone of 360 pixels, in characters. */
const ROOM = 46;

export interface Column {
  /** Its heading, which wraps between words. */
  heading: string;
  /** The text of its cells below the heading; empty if there's none. */
  cells: readonly string[];
  /** Whether it has figures, which never wrap. */
  isFigures: boolean;
}

function widthOf({ heading, cells, isFigures }: Column): number {
  const longest = Math.max(0, ...cells.map(({ length }) => length));
  const word = Math.max(...heading.split(/\s+/).map(({ length }) => length));
  return Math.max(isFigures ? longest : Math.min(MOST, longest), Math.min(MOST, word)) + GAP;
}

/**
 * The label of a cell where rows are stacked: its heading, or "Month 3" for a 3 in a row of months. The
 * first cell is the title of its row and has none, unless it's a number, as in "Step 4", or blank.
 */
export function stackedLabel(columns: readonly Column[], place: number, text: string): string {
  const [first, heading] = [columns[0]?.heading ?? '', columns[place]?.heading ?? ''];
  if (place === 0) return /^\d*$/.test(text.trim()) ? heading : '';
  return /^\d+$/.test(heading) ? `${first} ${heading}`.trim() : heading;
}

const isBlank = ({ cells }: Column) => cells.every((cell) => cell === '');

/**
 * Whether all columns of a table but the first are for the reader to fill in. On a phone, where nobody
 * writes on it, its first row says what all of them ask for; a blank cell of it has a space.
 */
export const isSheet = (columns: readonly Column[]): boolean => columns.slice(1).every(isBlank);

/**
 * Whether a table is too wide for a phone, and its rows can be read one by one: each has a first
 * cell, which becomes its title. Lists next to each other stay a table.
 */
export function isStackedTable(columns: readonly Column[]): boolean {
  const [first, ...others] = columns;
  if (!first) return false;
  const filled = first.cells.map((_, row) => others.some(({ cells }) => cells[row] !== ''));
  const hasTitles = first.cells.every((title, row) => title !== '' || !filled[row]);
  const isWide = columns.reduce((sum, column) => sum + widthOf(column), 0) > ROOM;
  return isWide && hasTitles;
}

/** Rows that have more characters on average are read more easily as blocks on a tablet too. */
const LONG_ROWS = 150;

/**
 * The class of a table, by how its rows are stacked: on a phone, or, with long sentences next to each
 * other, on a tablet too. None if it always stays a table.
 */
export function stackedLook(columns: readonly Column[]): 'stacked' | 'stacked long' | undefined {
  if (!isStackedTable(columns)) return undefined;
  const cells = columns.flatMap((column) => column.cells);
  const rows = cells.length / columns.length;
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  return length / rows > LONG_ROWS ? 'stacked long' : 'stacked';
}

/**
 * Whether a column is for the reader to fill in and needs room: next to others with an example, or to
 * short words. The columns of a sheet share the room.
 */
export function isToFillIn(columns: readonly Column[], place: number): boolean {
  const column = columns[place];
  if (!column || column.heading === '' || !isBlank(column)) return false;
  return columns.length === 2 ? place === 1 && !columns.every(isBlank) : !isSheet(columns);
}
