import { type Figures, type Forecast, figuresOf, isBlank, monthText } from '#domain/forecast.ts';
import { money } from '#lib/locale/money.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { BarTable } from '#ui/charts/BarTable.tsx';
import { Sparkline } from '#ui/charts/Sparkline.tsx';
import { Frame } from './Frame.tsx';

const dollars = (cents: number) => money(cents, 'USD');

interface CashProps {
  forecast: Forecast | null;
  businessId: string | null;
}

/** The forecast's lowest month, and how the last month that's over compares with its plan. */
export function Cash({ forecast, businessId }: CashProps) {
  if (!forecast || !businessId || isBlank(forecast)) return null;
  const figures = figuresOf(forecast);
  const last = forecast.past.findLast(({ actual }) => actual !== null);
  return (
    <Frame
      id="cash"
      title="Cash"
      href={hrefFor('/dashboard/businesses/[id]/forecast', { id: businessId })}
      label="Forecast"
    >
      <Lowest figures={figures} floor={forecast.floor} />
      {last && last.actual !== null && (
        <div className="border-t border-line pt-3 text-sm">
          <p className="mb-1">{missText(last.month, last.planned, last.actual)}</p>
          <BarTable
            rows={[
              { label: 'Planned', value: last.planned / 100 },
              { label: 'In the bank', value: last.actual / 100 },
            ]}
            unit="$"
            caption={`The balance at the end of ${monthText(last.month)}`}
          />
        </div>
      )}
    </Frame>
  );
}

/** "October 2026 ended $700 below its plan." */
function missText(month: string, planned: number, actual: number): string {
  const miss = actual - planned;
  if (miss === 0) return `${monthText(month)} ended as planned.`;
  return `${monthText(month)} ended ${dollars(Math.abs(miss))} ${miss < 0 ? 'below' : 'above'} its plan.`;
}

function Lowest({ figures, floor }: { figures: Figures; floor: number | null }) {
  const { months, closes, lowest, below } = figures;
  const [first = '', least = ''] = [months[0], months[lowest]];
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-display text-2xl figures">{dollars(closes[lowest] ?? 0)}</span>
        <span className="text-sm text-muted">
          at the end of {monthText(least)}, the lowest of the 12 months
        </span>
      </p>
      <Sparkline values={closes} mark={lowest} />
      <p className="text-xs text-muted">
        From {dollars(closes[0] ?? 0)} at the end of {monthText(first)} to{' '}
        {dollars(closes.at(-1) ?? 0)} at the end of {monthText(months.at(-1) ?? '')}.
        {floor !== null && below.length > 0 && (
          <>
            {' '}
            {below.length === 1 ? '1\u00a0month ends' : `${below.length} months end`} below your
            floor of {dollars(floor)}.
          </>
        )}
      </p>
    </div>
  );
}
