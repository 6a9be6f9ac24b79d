import { type ReactNode, useState } from 'react';
import { useReady } from '../use-ready.ts';

export interface OrderedProps<Row> {
  rows: readonly Row[];
  /** By what they are ordered; what is not known comes last. */
  by: (row: Row) => number | null;
  children: (rows: readonly Row[]) => ReactNode;
}

/** Rows in their own order, or the largest first. */
export function inOrder<Row>(rows: readonly Row[], by: OrderedProps<Row>['by']): Row[] {
  const rank = (row: Row) => by(row) ?? Number.NEGATIVE_INFINITY;
  // Compared, not subtracted: two that are not known are equal, and their difference is no number.
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) > rank(a) ? 1 : -1));
}

/** Bars that a reader can sort. Without scripts they keep their own order. */
export function Ordered<Row>({ rows, by, children }: OrderedProps<Row>) {
  const live = useReady();
  const [largestFirst, setLargestFirst] = useState(false);
  return (
    <>
      {children(largestFirst ? inOrder(rows, by) : rows)}
      <button
        type="button"
        // It keeps its place while there is nothing to press.
        className={`button button-secondary button-small self-start${live ? '' : ' invisible'}`}
        aria-pressed={largestFirst}
        onClick={() => setLargestFirst(!largestFirst)}
      >
        Largest first
      </button>
    </>
  );
}
