/** What months that are over say about the plan, in words. */
import { largestMiss, monthText, type PastMonth } from '#domain/forecast.ts';
import { differenceOf, type PastFigure, type PastView } from '#domain/forecast-past.ts';
import { dollars } from './amounts.ts';

export const VIEW_LABELS: Record<PastView, string> = {
  actual: 'Actual',
  planned: 'Plan',
  difference: 'Difference',
};

/** "$300 less than planned" */
export function differenceWords(cents: number): string {
  if (cents === 0) return 'as planned';
  return `${dollars(Math.abs(cents))} ${cents > 0 ? 'more' : 'less'} than planned`;
}

/** "planned $500, actually $800, $300 more than planned"; null if there's nothing to say. */
export function figureWords(figure: PastFigure): string | null {
  const { planned, actual } = figure;
  const difference = differenceOf(figure);
  if (actual === null || difference === null) {
    return planned === null ? null : `planned ${dollars(planned)}, actual not entered yet`;
  }
  const plan = planned === null ? 'nothing planned' : `planned ${dollars(planned)}`;
  return `${plan}, actually ${dollars(actual)}, ${differenceWords(difference)}`;
}

/** How a month went: its balance, and the row that was off by most. */
export function monthWords(month: PastMonth): string {
  const { planned, actual } = month;
  const name = monthText(month.month);
  const balance =
    actual === null
      ? `${name} was planned to end with ${dollars(planned)}. Its real balance hasn’t been entered.`
      : `${name} ended with ${dollars(actual)}, ${differenceWords(actual - planned)}.`;
  const miss = largestMiss(month);
  if (!miss) return balance;
  return `${balance} What was off the most: ${miss.name}, ${differenceWords(miss.cents)}.`;
}
