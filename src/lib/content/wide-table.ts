/** When a table of an article or a tool is too wide for a phone. */

/** A column of words doesn't need more room than this, in characters, since longer ones wrap. */
const MOST = 14;
/** What fits on a phone of 360 pixels. */
const ROOM = 3 * MOST;

/** The characters of a column's longest cell, or that it has figures, which are short and never wrap. */
export type Column = { longest: number } | 'figures';

/** Whether a table is too wide for a phone, so that it scrolls rather than breaking its words. */
export function isWideTable(columns: readonly Column[]): boolean {
  const room = columns.reduce(
    (sum, column) => sum + (column === 'figures' ? 0 : Math.min(MOST, column.longest)),
    0,
  );
  return room > ROOM;
}
