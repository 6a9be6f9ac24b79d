import {
  type Figures,
  type Forecast,
  isBlank,
  monthText,
  shortMonthText,
} from '#domain/forecast.ts';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LineChart, type Series } from '#ui/charts/LineChart.tsx';
import { dollars } from './amounts.ts';

interface OutlookProps {
  forecast: Forecast;
  figures: Figures;
  /** With the what-ifs that are on; null without any. */
  others: Figures | null;
}

/** "Lowest: June 2027 ends with −$300." and how far that's from the floor. */
export function lowestWords({ lowest, closes, months, below }: Figures, floor: number | null) {
  const balance = closes[lowest] ?? 0;
  const first = `${monthText(months[lowest] ?? '')} ends with ${dollars(balance)}`;
  if (floor === null) return `${first}.`;
  if (below.length === 0) return `${first}, which is above your floor of ${dollars(floor)}.`;
  const under = `That’s ${dollars(floor - balance)} below your floor of ${dollars(floor)}.`;
  const { length } = below;
  const count = length === months.length ? `All ${length}` : `${length} of the ${months.length}`;
  return `${first}. ${under}${length > 1 ? ` ${count} months end below it.` : ''}`;
}

const inDollars = (cents: readonly number[]) => cents.map((each) => each / 100);

/** The lowest month in words, and the balances as a line. */
export function Outlook({ forecast, figures, others }: OutlookProps) {
  if (isBlank(forecast)) {
    return (
      <p className="max-w-[68ch] text-sm text-muted">
        Once you fill in some amounts, you’ll see your lowest month here and how the balance moves.
      </p>
    );
  }
  const { floor } = forecast;
  const labels = figures.months.map(shortMonthText);
  const series: Series[] = [
    { name: 'Balance at the end', values: inDollars(figures.closes) },
    ...(others ? [{ name: 'With your what-ifs', values: inDollars(others.closes) }] : []),
    ...(floor === null
      ? []
      : [{ name: 'Your floor', values: figures.months.map(() => floor / 100) }]),
  ];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <div>
        <h2 className="text-lg">Your lowest month</h2>
        <p className="mt-2" data-lowest>
          {lowestWords(figures, floor)}
        </p>
        {floor === null && (
          <p className="mt-2 text-sm text-muted">
            Choose a floor above: the balance where you’ll act, for instance one payroll plus one
            month’s rent.
          </p>
        )}
      </div>
      <ChartCard
        title="Balance at the end of each month"
        note={`The line marks the lowest month, ${monthText(figures.months[figures.lowest] ?? '')}.`}
        numbers={{ labels, series, unit: '$' }}
      >
        <LineChart labels={labels} series={series} unit="$" active={figures.lowest} />
      </ChartCard>
    </div>
  );
}
