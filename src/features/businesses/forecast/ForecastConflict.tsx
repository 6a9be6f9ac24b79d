import type { ForecastSheet } from '#data/business-worksheets.ts';
import { figuresOf, newForecast } from '#domain/forecast.ts';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { lowestWords } from './Outlook.tsx';
import { ReadMonths } from './ReadMonths.tsx';

interface ConflictProps {
  /** What someone else saved meanwhile. */
  theirs: ForecastSheet;
  /** `2026-11-21` */
  today: string;
  onChoose: (which: 'mine' | 'theirs') => void;
}

/** Someone else's version in brief, to choose between it and one's own. */
export function ForecastConflict({ theirs, today, onChoose }: ConflictProps) {
  const forecast = theirs.document ?? newForecast(today);
  const figures = figuresOf(forecast);
  return (
    <SaveConflict name={theirs.saved_by} onChoose={onChoose}>
      <p className="mb-3 text-sm">{lowestWords(figures, forecast.floor, true)}</p>
      <ReadMonths forecast={forecast} figures={figures} others={null} />
    </SaveConflict>
  );
}
