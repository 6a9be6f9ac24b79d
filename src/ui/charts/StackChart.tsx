import { Legend, scaleFill, seriesLook } from './Legend.tsx';
import type { Series } from './LineChart.tsx';
import { NothingToDraw } from './Plot.tsx';

export interface StackChartProps {
  labels: readonly string[];
  /** Values of 0 and above; what is not known has no width. */
  series: readonly Series[];
  /** Bars of one length, whose parts have an order: shares of the answers to a statement. */
  shares?: boolean;
  /** The bar that is read. */
  active?: number | null;
  /** Names of the series that are switched off. */
  off?: ReadonlySet<string>;
  /** Leaves out the names of the series, where they're shown elsewhere. */
  bare?: boolean;
}

/** What something is made of: one bar for each label, its parts in the order of the series. */
export function StackChart(props: StackChartProps) {
  const { labels, series, shares = false, active = null, off, bare } = props;
  const part = ({ name, values }: Series, place: number) =>
    off?.has(name) ? 0 : Math.max(0, values[place] ?? 0);
  const totals = labels.map((_, place) => series.reduce((sum, each) => sum + part(each, place), 0));
  const most = Math.max(...totals, 0) || 1;
  if (!series.some(({ values }) => values.some((value) => value !== null))) {
    return <NothingToDraw />;
  }
  return (
    <div aria-hidden="true">
      {!bare && <Legend names={series.map(({ name }) => name)} as={shares ? 'scale' : 'area'} />}
      <ul className="stack">
        {labels.map((label, place) => {
          const whole = shares ? totals[place] || 1 : most;
          let from = 0;
          return (
            <li key={label} data-place={place} className={active === place ? 'active' : undefined}>
              <span>{label}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                {series.map((each, index) => {
                  const width = (100 * part(each, place)) / whole;
                  const start = from;
                  from += width;
                  // A hairline between the parts separates neighbors without relying on color.
                  return width === 0 ? null : (
                    <rect
                      key={each.name}
                      x={start}
                      width={Math.max(width - 0.4, 0.2)}
                      height="10"
                      className={shares ? scaleFill(index, series.length) : seriesLook(index).fill}
                    />
                  );
                })}
              </svg>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
