import { useState } from 'react';
import type { Figures, Forecast } from '#domain/forecast.ts';
import { type PastView, pastLinesOf } from '#domain/forecast-past.ts';
import { ForecastGrid, type GridProps } from './ForecastGrid.tsx';
import { linesOf } from './grid.ts';
import { MonthView } from './MonthView.tsx';
import { PastSwitch } from './PastMonths.tsx';

/** The months: all of them as a table, or one at a time on a phone. */
export const Months = (props: GridProps) => (
  <>
    <div className="sm:hidden print:hidden">
      <MonthView {...props} />
    </div>
    <div className="max-sm:hidden print:block">
      <ForecastGrid {...props} />
    </div>
  </>
);

interface ReadMonthsProps {
  forecast: Forecast;
  figures: Figures;
  /** The balances with the what-ifs; null without any. */
  others: readonly number[] | null;
}

/** The months of a forecast that can only be read. */
export function ReadMonths({ forecast, figures, others }: ReadMonthsProps) {
  const [view, setView] = useState<PastView>('actual');
  const { months } = pastLinesOf(forecast);
  return (
    <div className="flex flex-col gap-3">
      {months.length > 0 && (
        <div className="max-sm:hidden">
          <PastSwitch view={view} onView={setView} />
        </div>
      )}
      <Months
        figures={figures}
        lines={linesOf(forecast, figures)}
        past={{ months, view }}
        others={others}
        grid={null}
        onRow={() => {}}
      />
    </div>
  );
}
