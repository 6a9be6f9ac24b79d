import { LEVEL_LABELS, levelOf } from '#domain/level.ts';
import { LineChart, type LineChartProps, type Series } from '../LineChart.tsx';
import { LiveLegend } from '../LiveLegend.tsx';
import { scoreText } from '../levels.ts';
import { Reader } from '../Reader.tsx';
import { valueText } from '../values.ts';
import { known, type Named, namesOf, readingOf, useSwitches } from './series.ts';

/** A LineChart to read label by label; labels are evenly spaced. */
export function LiveLineChart({ title, ...chart }: Omit<LineChartProps, 'times'> & Named) {
  const { labels, series, unit, levels } = chart;
  const { off, onToggle } = useSwitches();
  if (!known(series)) return <LineChart {...chart} />;
  const textOf = (values: Series['values'], place: number) => {
    const value = values[place] ?? null;
    if (!levels || value === null) return valueText(value, unit);
    return `${scoreText(value)} (${LEVEL_LABELS[levelOf(value)]})`;
  };
  return (
    <>
      {series.length > 1 && (
        <LiveLegend names={namesOf(series)} as="line" off={off} onToggle={onToggle} />
      )}
      <Reader
        label={title}
        count={labels.length}
        along="x"
        textOf={(place) =>
          readingOf(labels[place] ?? '', series, off, ({ values }) => textOf(values, place))
        }
      >
        {(active) => <LineChart {...chart} off={off} active={active} bare />}
      </Reader>
    </>
  );
}
