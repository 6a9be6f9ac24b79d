import { binText } from '../bins.ts';
import { Histogram, type HistogramProps } from '../Histogram.tsx';
import { Reader } from '../Reader.tsx';
import type { Named } from './series.ts';

/** A Histogram to read bin by bin. `many` is what it counts: "businesses". */
export function LiveHistogram({
  title,
  many,
  ...chart
}: HistogramProps & Named & { many: string }) {
  const { bins, unit } = chart;
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return (
    <Reader
      label={title}
      count={bins.length}
      along="x"
      textOf={(place) => {
        const bin = bins[place];
        if (!bin) return '';
        const share = all === 0 ? 0 : Math.round((100 * bin.count) / all);
        return `${binText(bin, unit)}: ${bin.count} of ${all} ${many}, ${share}%`;
      }}
    >
      {(active) => <Histogram {...chart} active={active} />}
    </Reader>
  );
}
