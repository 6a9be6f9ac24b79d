/** How a list displays a row's values: in a table column, on a card (phones) and in a CSV file. */
import type { ReactNode } from 'react';

export interface DataColumn<Row> {
  id: string;
  header: string;
  /** Renders the cell; null shows a dash. Without it, the column is only in the CSV file. */
  cell?: (row: Row) => ReactNode;
  /** What screen readers announce for that dash: "No date". */
  none?: string;
  /** The list's sort values for this column. With only one of them, it sorts in one direction. */
  sort?: { ascending?: string; descending?: string };
  /** Whether it's the row's header: true for exactly one column, the first. */
  isRowHeader?: boolean;
  align?: 'right';
  /**
   * How its text breaks in a table: anywhere, as addresses need; never, as dates and states; rarely, as
   * names, which only break if they're long. Otherwise between words. Figures, aligned right, never do.
   */
  breaks?: 'anywhere' | 'never' | 'rarely';
  /** A column only on wide screens; on tablets, a second line of its row, if cards show it. */
  from?: 'wide';
  /** On a phone: after its header, by itself, or not at all. */
  onCard?: 'labelled' | 'bare' | 'hidden';
  /** Whether a row has what nearly all have, as "Active" or 0. A card, which is short, leaves it out. */
  isUsual?: (row: Row) => boolean;
  /** Its value in the CSV file; without it, the column isn't in the file. */
  csv?: (row: Row) => string | number | null;
}
