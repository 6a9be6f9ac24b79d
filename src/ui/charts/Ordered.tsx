import { type ReactNode, useState } from 'react';
import { useReady } from '../use-ready.ts';

export interface OrderedProps<Row> {
  rows: readonly Row[];
  /** The sort key; unknown ones (null) sort last. */
  by: (row: Row) => number | null;
  children: (rows: readonly Row[]) => ReactNode;
}

/** Sorts rows by `by`, largest first. */
export function inOrder<Row>(rows: readonly Row[], by: OrderedProps<Row>['by']): Row[] {
  const rank = (row: Row) => by(row) ?? Number.NEGATIVE_INFINITY;
  // Compared, not subtracted: subtracting two unknown values (−∞) would yield NaN.
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) > rank(a) ? 1 : -1));
}

/** Bars that the user can sort, largest first. Without scripts they keep their given order. */
export function Ordered<Row>({ rows, by, children }: OrderedProps<Row>) {
  const live = useReady();
  const [largestFirst, setLargestFirst] = useState(false);
  return (
    <>
      {children(largestFirst ? inOrder(rows, by) : rows)}
      <button
        type="button"
        // Invisible instead of absent before hydration, so that the layout doesn't shift.
        className={`button button-secondary button-small self-start${live ? '' : ' invisible'}`}
        aria-pressed={largestFirst}
        onClick={() => setLargestFirst(!largestFirst)}
      >
        Largest first
      </button>
    </>
  );
}
