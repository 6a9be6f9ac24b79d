/** When a table of an article or a tool is too wide for a phone, so that its rows are stacked there. */

/** A column of words is readable at this many characters, since longer ones wrap. */
const MOST = 14;
/** The space between two columns, in characters. */
const GAP = 3;
/** What fits in a line of a table on a phone of 360 pixels, in characters. */
const ROOM = 46;

export interface Column {
  /** The characters of its longest cell below the heading. */
  longest: number;
  /** Its heading, which wraps between words. */
  heading: string;
  /** Whether it has figures, which never wrap. */
  isFigures: boolean;
}

function widthOf({ longest, heading, isFigures }: Column): number {
  const word = Math.max(...heading.split(/\s+/).map(({ length }) => length));
  return Math.max(isFigures ? longest : Math.min(MOST, longest), Math.min(MOST, word)) + GAP;
}

/** Whether a table is too wide for a phone. */
export const isWideTable = (columns: readonly Column[]): boolean =>
  columns.reduce((sum, column) => sum + widthOf(column), 0) > ROOM;
