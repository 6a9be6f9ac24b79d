import { LiveLegend } from '../LiveLegend.tsx';
import { Reader } from '../Reader.tsx';
import { StackChart, type StackChartProps } from '../StackChart.tsx';
import { valueText } from '../values.ts';
import { known, type Named, namesOf, readingOf, useSwitches } from './series.ts';

/** A StackChart to read bar by bar. */
export function LiveStackChart({
  title,
  unit,
  ...chart
}: StackChartProps & Named & { unit?: string }) {
  const { labels, series } = chart;
  const { off, onToggle } = useSwitches();
  if (!known(series)) return <StackChart {...chart} />;
  return (
    <>
      <LiveLegend
        names={namesOf(series)}
        as={chart.shares ? 'scale' : 'area'}
        off={off}
        onToggle={onToggle}
      />
      <Reader
        label={title}
        count={labels.length}
        along="y"
        textOf={(place) =>
          readingOf(labels[place] ?? '', series, off, ({ values }) =>
            valueText(values[place] ?? null, unit),
          )
        }
      >
        {(active) => <StackChart {...chart} off={off} active={active} bare />}
      </Reader>
    </>
  );
}
