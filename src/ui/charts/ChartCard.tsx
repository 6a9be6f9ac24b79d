import type { ReactNode } from 'react';
import type { Series } from './LineChart.tsx';
import { NumbersTable } from './NumbersTable.tsx';

interface ChartCardProps {
  title: string;
  /** Where the product uses the chart. */
  note?: string;
  children: ReactNode;
  /** The chart's numbers, unless the chart includes a table. */
  numbers?: { labels: readonly string[]; series: readonly Series[]; unit?: string | undefined };
}

/** The most rows that a table shows. Its caption says when some are left out. */
const MOST_ROWS = 24;

/** A chart with its title, where it's used, and a collapsible table of its numbers. */
export function ChartCard({ title, note, children, numbers }: ChartCardProps) {
  const rows = numbers?.labels.length ?? 0;
  const some = rows > MOST_ROWS;
  const caption = some ? `${title}, the last ${MOST_ROWS} of ${rows}` : title;
  return (
    <figure className="chart card flex min-w-0 flex-col gap-3 p-4 sm:p-6">
      <figcaption>
        <h3>{title}</h3>
        {note && <p className="chart-note mt-1">{note}</p>}
      </figcaption>
      {children}
      {numbers && rows > 0 && (
        <details>
          <summary>
            {some ? `Show the last ${MOST_ROWS} of ${rows} numbers` : 'Show the numbers'}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways needs to be reachable by keyboard */}
          <section className="overflow-x-auto" tabIndex={0} aria-label={caption}>
            <NumbersTable
              caption={caption}
              labels={numbers.labels.slice(-MOST_ROWS)}
              series={numbers.series.map((each) => ({
                ...each,
                values: each.values.slice(-MOST_ROWS),
              }))}
              {...(numbers.unit && { unit: numbers.unit })}
            />
          </section>
        </details>
      )}
    </figure>
  );
}
