import { ColumnChart, type ColumnChartProps } from '../ColumnChart.tsx';
import { Reader } from '../Reader.tsx';
import { valueText } from '../values.ts';
import type { Named } from './series.ts';

/** A ColumnChart to read column by column. */
export function LiveColumnChart({ title, ...chart }: ColumnChartProps & Named) {
  const { labels, values, unit } = chart;
  if (!values.some((value) => value !== null)) return <ColumnChart {...chart} />;
  return (
    <Reader
      label={title}
      count={labels.length}
      along="x"
      textOf={(place) => `${labels[place]}: ${valueText(values[place] ?? null, unit)}`}
    >
      {(active) => <ColumnChart {...chart} active={active} />}
    </Reader>
  );
}
