import { Legend, seriesLook } from './Legend.tsx';
import type { Series } from './LineChart.tsx';

export interface StackChartProps {
  labels: readonly string[];
  /** Values of 0 and above; what is not known has no width. */
  series: readonly Series[];
}

/** What something is made of: one bar for each label, its parts in the order of the series. */
export function StackChart({ labels, series }: StackChartProps) {
  const totals = labels.map((_, place) =>
    series.reduce((sum, { values }) => sum + Math.max(0, values[place] ?? 0), 0),
  );
  const most = Math.max(...totals, 0) || 1;
  return (
    <div aria-hidden="true">
      <Legend names={series.map(({ name }) => name)} as="area" />
      <ul className="stack">
        {labels.map((label, place) => {
          let from = 0;
          return (
            <li key={label}>
              <span>{label}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                {series.map(({ name, values }, index) => {
                  const width = (100 * Math.max(0, values[place] ?? 0)) / most;
                  const start = from;
                  from += width;
                  // A hair between the parts: neighbours are told apart without their colours.
                  return width === 0 ? null : (
                    <rect
                      key={name}
                      x={start}
                      width={Math.max(width - 0.4, 0.2)}
                      height="10"
                      className={seriesLook(index).fill}
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
