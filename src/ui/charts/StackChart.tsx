import { Legend, scaleFill, seriesLook } from './Legend.tsx';
import type { Series } from './LineChart.tsx';
import { NothingToDraw } from './Plot.tsx';

export interface StackChartProps {
  labels: readonly string[];
  /** Values of 0 or more; unknown ones have no width. */
  series: readonly Series[];
  /** For ordered shares, such as answers to a statement: bars of equal length in scale colors. */
  shares?: boolean;
  /** The index of the selected bar. */
  active?: number | null;
  /** Names of hidden series. */
  off?: ReadonlySet<string>;
  /** Hides the legend, if it's shown elsewhere. */
  bare?: boolean;
}

/** Parts of a whole: one stacked bar per label, with parts in the order of the series. */
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
      <ul className={shares ? 'stack shares' : 'stack'}>
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
