import { type Bin, binText, placeOf } from './bins.ts';
import { ColumnChart } from './ColumnChart.tsx';

export interface HistogramProps {
  bins: readonly Bin[];
  /** The user's own value; its bin is highlighted. */
  own?: number | null;
  /** The unit of the values, not of the counts. */
  unit?: string | undefined;
  active?: number | null;
}

/** How many values are in each bin, with the user's own bin highlighted. */
export function Histogram({ bins, own = null, unit, active = null }: HistogramProps) {
  const place = own === null ? null : placeOf(bins, own);
  return (
    <ColumnChart
      labels={bins.map((bin) => binText(bin, unit))}
      values={bins.map(({ count }) => count)}
      own={place}
      active={active}
      joined
    />
  );
}
