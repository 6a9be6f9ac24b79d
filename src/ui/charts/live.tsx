/**
 * Interactive versions of the charts: the same server-rendered drawings, but the user can read them
 * point by point and hide series. Show them with the same tables.
 */

import { useState } from 'react';
import { LEVEL_LABELS, levelOf } from '#domain/level.ts';
import { Bloom, type BloomProps } from './Bloom.tsx';
import { BoxChart, type BoxChartProps } from './BoxChart.tsx';
import { binText } from './bins.ts';
import { ColumnChart, type ColumnChartProps } from './ColumnChart.tsx';
import { Histogram, type HistogramProps } from './Histogram.tsx';
import { LineChart, type LineChartProps, type Series } from './LineChart.tsx';
import { LiveLegend } from './LiveLegend.tsx';
import { LEFT_OUT, NOT_ENOUGH, scoreText } from './levels.ts';
import { Reader } from './Reader.tsx';
import { StackChart, type StackChartProps } from './StackChart.tsx';
import { valueText } from './values.ts';

interface Named {
  /** The chart's title. */
  title: string;
}

/** The hidden series and their toggle. */
function useSwitches() {
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) =>
    setOff((before) =>
      before.has(name)
        ? new Set([...before].filter((each) => each !== name))
        : new Set([...before, name]),
    );
  return { off, onToggle: toggle };
}

/** The text for a position: "May: sales $1,200, costs –". */
function readingOf(
  label: string,
  series: readonly Series[],
  off: ReadonlySet<string>,
  textOf: (each: Series) => string,
): string {
  const on = series.filter(({ name }) => !off.has(name));
  if (on.length === 0) return `${label}: every series is turned off`;
  return `${label}: ${on.map((each) => `${series.length > 1 ? `${each.name} ` : ''}${textOf(each)}`).join(', ')}`;
}

const known = (series: readonly Series[]) =>
  series.some(({ values }) => values.some((value) => value !== null));
const namesOf = (series: readonly Series[]) => series.map(({ name }) => name);

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

/** A Bloom to read petal by petal. */
export function LiveBloom({ title, ...chart }: BloomProps & Named) {
  const { petals, earlier } = chart;
  const textOf = (place: number) => {
    const petal = petals[place];
    if (!petal) return '';
    const before = earlier?.find(({ key }) => key === petal.key)?.score;
    const now = petal.level
      ? `${scoreText(petal.score)}, ${LEVEL_LABELS[petal.level]}`
      : (petal.left_out ? LEFT_OUT : NOT_ENOUGH).toLowerCase();
    return `${petal.label}: ${now}${before == null ? '' : `; before ${scoreText(before)}`}`;
  };
  return (
    <Reader label={title} count={petals.length} along="x" textOf={textOf}>
      {(active) => <Bloom {...chart} active={active} />}
    </Reader>
  );
}
