import { type Forecast, figuresOf } from '#domain/forecast.ts';
import { ReadMonths } from './Months.tsx';
import { lowestWords } from './Outlook.tsx';

/** Someone else's version in brief, to choose between it and one's own. */
export function Theirs({ forecast }: { forecast: Forecast }) {
  const figures = figuresOf(forecast);
  return (
    <>
      <p className="mb-3 text-sm">{lowestWords(figures, forecast.floor)}</p>
      <ReadMonths forecast={forecast} figures={figures} others={null} />
    </>
  );
}
