import { useState } from 'react';
import type { Figures, Forecast } from '#domain/forecast.ts';
import { type PastView, pastMonthsOf } from '#domain/forecast-past.ts';
import { linesOf } from './grid.ts';
import { Months } from './Months.tsx';
import { PastSwitch } from './PastMonths.tsx';

interface ReadMonthsProps {
  forecast: Forecast;
  figures: Figures;
  /** The balances with the what-ifs; null without any. */
  others: readonly number[] | null;
}

/** The months of a forecast that can only be read. */
export function ReadMonths({ forecast, figures, others }: ReadMonthsProps) {
  const [view, setView] = useState<PastView>('actual');
  const months = pastMonthsOf(forecast);
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
