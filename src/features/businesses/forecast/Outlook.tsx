import {
  type Figures,
  type Forecast,
  isBlank,
  monthText,
  shortMonthText,
} from '#domain/forecast.ts';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LineChart, type Series } from '#ui/charts/LineChart.tsx';
import { Still } from '#ui/Still.tsx';
import { dollars } from './amounts.ts';

interface OutlookProps {
  forecast: Forecast;
  figures: Figures;
  /** With the what-ifs that are on; null without any. */
  others: Figures | null;
  /** Whether it's for someone of the business; its coach reads someone else's. */
  isOwn: boolean;
}

/** How a floor is called: by its owner, or by someone who only reads it. */
const floorName = (isOwn: boolean) => (isOwn ? 'your floor' : 'the floor');

/**
 * "June 2027 ends with −$300." and how far that's from the floor.
 * @param isOwn whether it's for someone of the business
 */
export function lowestWords(figures: Figures, floor: number | null, isOwn: boolean) {
  const { lowest, closes, months } = figures;
  const balance = closes[lowest] ?? 0;
  const words = floorWords(figures, floor, isOwn);
  return `${monthText(months[lowest] ?? '')} ends with ${dollars(balance)}.${words && ` ${words}`}`;
}

/** How far the lowest month is from the floor, and how many months end below it; '' without a floor. */
function floorWords(
  { lowest, closes, months, below }: Figures,
  floor: number | null,
  isOwn: boolean,
): string {
  if (floor === null) return '';
  const balance = closes[lowest] ?? 0;
  const name = `${floorName(isOwn)} of ${dollars(floor)}`;
  if (below.length === 0) return `That’s ${balance === floor ? 'right at' : 'above'} ${name}.`;
  const { length } = below;
  const count = length === months.length ? `All ${length}` : `${length} of the ${months.length}`;
  return `That’s ${dollars(floor - balance)} below ${name}.${length > 1 ? ` ${count} months end below it.` : ''}`;
}

const inDollars = (cents: readonly number[]) => cents.map((each) => each / 100);

/** The lowest month, large and in words, and the balances as a line. */
export function Outlook({ forecast, figures, others, isOwn }: OutlookProps) {
  if (isBlank(forecast)) {
    return (
      <p className="max-w-[68ch] text-sm text-muted">
        Once you fill in some amounts, you’ll see your lowest month here and how the balance moves.
      </p>
    );
  }
  const { floor } = forecast;
  const { months, closes, lowest } = figures;
  const labels = months.map(shortMonthText);
  const name = floorName(isOwn);
  const series: Series[] = [
    { name: 'Balance at the end', values: inDollars(closes) },
    ...(others ? [{ name: 'With the what-ifs', values: inDollars(others.closes) }] : []),
    ...(floor === null
      ? []
      : [{ name: sentenceStart(name), values: months.map(() => floor / 100) }]),
  ];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Still of={[forecast, isOwn]}>
        {() => (
          <section aria-labelledby="lowest">
            <h2 id="lowest" className="text-lg">
              {isOwn ? 'Your lowest month' : 'The lowest month'}
            </h2>
            <p className="mt-2 font-display text-3xl figures" data-lowest>
              {dollars(closes[lowest] ?? 0)}
            </p>
            <p className="mt-1 font-semibold">at the end of {monthText(months[lowest] ?? '')}</p>
            <p className="mt-3 max-w-[44ch] text-sm">{floorWords(figures, floor, isOwn)}</p>
            <p className="mt-2 max-w-[44ch] text-sm text-muted">
              From {dollars(closes[0] ?? 0)} at the end of {monthText(months[0] ?? '')} to{' '}
              {dollars(closes.at(-1) ?? 0)} at the end of {monthText(months.at(-1) ?? '')}.
            </p>
            {floor === null && isOwn && (
              <p className="mt-2 max-w-[44ch] text-sm text-muted">
                Choose a floor: the balance where you’ll act, for instance one payroll plus one
                month’s rent.
              </p>
            )}
          </section>
        )}
      </Still>
      <ChartCard
        title="Balance at the end of each month"
        note={`The line marks the lowest month, ${monthText(months[lowest] ?? '')}.`}
        numbers={{ labels, series, unit: '$' }}
      >
        <Still of={[forecast]}>
          {() => <LineChart labels={labels} series={series} unit="$" active={lowest} />}
        </Still>
      </ChartCard>
    </div>
  );
}

const sentenceStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
