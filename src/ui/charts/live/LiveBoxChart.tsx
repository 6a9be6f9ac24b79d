import { BoxChart, type BoxChartProps } from '../BoxChart.tsx';
import { Reader } from '../Reader.tsx';
import { valueText } from '../values.ts';
import type { Named } from './series.ts';

/** A BoxChart to read row by row. */
export function LiveBoxChart({ title, ...chart }: BoxChartProps & Named) {
  const { rows, unit } = chart;
  const textOf = (place: number) => {
    const row = rows[place];
    if (!row) return '';
    const own = row.own == null ? '' : `yours ${valueText(row.own, unit)}, `;
    if (!row.spread) return `${row.label}: ${own}too few others to show`;
    const { q1, median, q3 } = row.spread;
    return `${row.label}: ${own}median ${valueText(median, unit)}, middle half ${valueText(q1, unit)} to ${valueText(q3, unit)}`;
  };
  return (
    <Reader label={title} count={rows.length} along="y" textOf={textOf}>
      {(active) => <BoxChart {...chart} active={active} />}
    </Reader>
  );
}
