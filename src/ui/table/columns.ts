/** What a list shows of each row: in a column of a table, on a card of a phone, in a CSV file. */
import type { ReactNode } from 'react';

export interface DataColumn<Row> {
  id: string;
  header: string;
  /** What is shown there; null draws a dash. Without it the column is in the CSV file alone. */
  cell?: (row: Row) => ReactNode;
  /** What a screen reader says of that dash: "No date". */
  none?: string;
  /** The sorts of the list that this column stands for. With one of them it sorts one way only. */
  sort?: { ascending?: string; descending?: string };
  /** Names the row: exactly one column does, the first. */
  isRowHeader?: boolean;
  align?: 'right';
  /** There is room for it from a wide screen on. */
  from?: 'wide';
  /** On a phone: with its header before it, by itself, or not at all. */
  onCard?: 'labelled' | 'bare' | 'hidden';
  /** What a CSV file says there; without it the column isn't in the file. */
  csv?: (row: Row) => string | number | null;
}
