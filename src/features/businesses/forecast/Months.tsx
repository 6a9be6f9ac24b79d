import { useSyncExternalStore } from 'react';
import { Still } from '#ui/Still.tsx';
import { ForecastGrid, type GridProps } from './ForecastGrid.tsx';
import { MonthView } from './MonthView.tsx';

/** Whether the window is narrow, which Tailwind calls `max-sm`: there's one month at a time. */
const narrow = () => globalThis.matchMedia?.('(width < 40rem)');
const isNarrow = () => narrow()?.matches ?? false;

function onNarrowChange(onChange: () => void) {
  const query = narrow();
  query?.addEventListener('change', onChange);
  return () => query?.removeEventListener('change', onChange);
}

/**
 * The months: all of them as a table, or one at a time on a phone. Both are in the page, because the
 * server doesn't know the window, but React only goes through the one that's shown, until either changes.
 */
export function Months(props: GridProps) {
  const { figures, past, grid } = props;
  const shows = useSyncExternalStore(onNarrowChange, isNarrow, isNarrow);
  // The lines and the other balances come from the same forecast as the figures.
  const of = [figures, past.view, grid?.state.problems];
  return (
    <>
      <Still of={of} isStill={!shows} className="sm:hidden print:hidden">
        {() => <MonthView {...props} />}
      </Still>
      <Still of={of} isStill={shows} className="max-sm:hidden print:block">
        {() => <ForecastGrid {...props} />}
      </Still>
    </>
  );
}
