import { LEVEL_LABELS, LEVELS } from '#domain/level.ts';
import { Legend, seriesLook } from './Legend.tsx';
import { sharesOf } from './labels.ts';
import { levelFill } from './levels.ts';
import { HEIGHT, NothingToDraw, Plot, short, WIDTH } from './Plot.tsx';
import { heightScale, roundTicks } from './scale.ts';
import { extent } from './values.ts';

export interface Series {
  name: string;
  /** One per label; null if unknown, which leaves a gap. */
  values: readonly (number | null)[];
}

export interface LineChartProps {
  /** The labels under the points, in order. */
  labels: readonly string[];
  series: readonly Series[];
  /** Each point's time, ascending, in any unit; evenly spaced by default. */
  times?: readonly number[];
  unit?: string | undefined;
  /** Fills the area between the line and 0. */
  filled?: boolean;
  /** For scores: an axis from 0 to 100, with the four levels behind the lines. */
  levels?: boolean;
  /** The index of the selected point. */
  active?: number | null;
  /** Names of hidden series. */
  off?: ReadonlySet<string>;
  /** Hides the legend, if it's shown elsewhere. */
  bare?: boolean;
}

/** Above this number of points, only isolated ones get a dot. */
const MOST_DOTS = 40;
/** Highest first. */
const BANDS = LEVELS.toReversed();
const LEVEL_TICKS = [100, 75, 50, 25, 0];

/** A few round, evenly spaced ticks that cover all values, highest first. */
export function ticksFor(series: readonly Series[]): number[] {
  const domain = extent(series.flatMap(({ values }) => values));
  return roundTicks(domain, 4).toReversed();
}

/** The indexes of values that get a dot: all of them, or only those that aren't part of a line. */
function dotIndexes(values: Series['values']): number[] {
  return values.flatMap((value, place) => {
    if (value === null) return [];
    const alone = (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null;
    return values.length <= MOST_DOTS || alone ? [place] : [];
  });
}

/** A point's position in the chart: x by index, y by value. */
interface Scales {
  x: (index: number) => number;
  y: (value: number) => number;
}

/** The indexes of known values, in runs without a gap. */
function runsOf(values: Series['values']): number[][] {
  const runs: number[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    if (index > 0 && values[index - 1] !== null) runs.at(-1)?.push(index);
    else runs.push([index]);
  });
  return runs;
}

/** The paths of one series: its line, and the area under it. */
function pathsOf(values: Series['values'], { x, y }: Scales) {
  const lines = runsOf(values).map((run) => {
    const points = run.map((index) => `${x(index)},${y(values[index] ?? 0)}`);
    return { d: `M${points.join('L')}`, from: x(run[0] ?? 0), to: x(run.at(-1) ?? 0) };
  });
  return {
    line: lines.map(({ d }) => d).join(''),
    area: lines.map(({ d, from, to }) => `${d}L${to},${y(0)}L${from},${y(0)}Z`).join(''),
  };
}

interface SeriesLineProps {
  values: Series['values'];
  index: number;
  scales: Scales;
  filled: boolean;
  active: number | null;
}

function SeriesLine({ values, index, scales, filled, active }: SeriesLineProps) {
  const { stroke, fill, dash } = seriesLook(index);
  const paths = pathsOf(values, scales);
  const pointAt = (place: number) => `M${scales.x(place)} ${scales.y(values[place] ?? 0)}`;
  return (
    <g>
      {filled && <path d={paths.area} className={fill} opacity="0.22" />}
      <path
        d={paths.line}
        className={stroke}
        strokeWidth="2.5"
        strokeDasharray={dash}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {dotIndexes(values).map((place) => (
        <path
          key={place}
          d={`${pointAt(place)}h0`}
          className={stroke}
          strokeWidth="7"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {active !== null && values[active] != null && (
        <path
          d={`${pointAt(active)}v0`}
          className={stroke}
          strokeWidth="13"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </g>
  );
}

const LevelBands = () =>
  BANDS.map((level, index) => (
    <rect
      key={level}
      y={(index * HEIGHT) / 4}
      width={WIDTH}
      height={HEIGHT / 4}
      className={`band ${levelFill[level]}`}
      opacity="0.12"
    />
  ));

/** Values over time as lines. Hidden from screen readers, which get its NumbersTable. */
export function LineChart(props: LineChartProps) {
  const { labels, series, times, unit, off, bare } = props;
  const { filled = false, levels = false, active = null } = props;
  const shown = series.filter(({ name }) => !off?.has(name));
  if (!series.some(({ values }) => values.some((value) => value !== null))) {
    return <NothingToDraw />;
  }
  const ticks = levels ? LEVEL_TICKS : ticksFor(shown.length > 0 ? shown : series);
  const y = heightScale(ticks, HEIGHT);
  const shares = sharesOf(times ?? labels.map((_, place) => place));
  const scales: Scales = {
    x: (index) => short(WIDTH * (shares[index] ?? 0)),
    y: (value) => short(y(value)),
  };
  return (
    <div className="line-chart" aria-hidden="true">
      {series.length > 1 && !bare && <Legend names={series.map(({ name }) => name)} as="line" />}
      <Plot
        ticks={ticks}
        y={y}
        labels={labels}
        places="points"
        shares={times && shares}
        {...(unit && { unit })}
        {...(levels && { beside: BANDS.map((level) => LEVEL_LABELS[level]) })}
      >
        {levels && <LevelBands />}
        {active !== null && (
          <path
            d={`M${scales.x(active)} 0v${HEIGHT}`}
            className="stroke-ink"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {series.map(
          ({ name, values }, index) =>
            !off?.has(name) && (
              <SeriesLine
                key={name}
                values={values}
                index={index}
                scales={scales}
                filled={filled}
                active={active}
              />
            ),
        )}
      </Plot>
    </div>
  );
}
