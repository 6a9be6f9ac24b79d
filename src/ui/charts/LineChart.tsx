import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { LEVEL_LABELS, LEVELS } from '#domain/level.ts';
import { extent } from './extent.ts';
import { Legend, seriesLook } from './Legend.tsx';
import { sharesOf } from './labels.ts';
import { levelFill } from './levels.ts';
import { HEIGHT, NothingToDraw, Plot, short, WIDTH } from './Plot.tsx';

export interface Series {
  name: string;
  /** One for each label; null where it is not known, which leaves a gap. */
  values: readonly (number | null)[];
}

export interface LineChartProps {
  /** What stands under the points, in order. */
  labels: readonly string[];
  series: readonly Series[];
  /** When each point was, ascending, in any one unit; evenly spaced where it is left out. */
  times?: readonly number[];
  unit?: string | undefined;
  /** Fills what is between the line and 0. */
  filled?: boolean;
  /** Scores: from 0 to 100, with the four levels behind the lines. */
  levels?: boolean;
  /** The place that is read. */
  active?: number | null;
  /** Names of the series that are switched off. */
  off?: ReadonlySet<string>;
  /** Without the names of the series, where they stand elsewhere. */
  bare?: boolean;
}

/** With more points than this only those without neighbours are drawn as dots. */
const MOST_DOTS = 40;
/** The highest first. */
const BANDS = LEVELS.toReversed();
const LEVEL_TICKS = [100, 75, 50, 25, 0];

/** Ticks that cover all values: few, round, evenly spaced, highest first. */
export function ticksFor(series: readonly Series[]): number[] {
  const domain = extent(series.flatMap(({ values }) => values));
  return scaleLinear().domain(domain).nice(4).ticks(4).toReversed();
}

/** The places whose values are drawn as dots: all of them, or those that no line would show. */
function dotPlaces(values: Series['values']): number[] {
  return values.flatMap((value, place) => {
    if (value === null) return [];
    const alone = (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null;
    return values.length <= MOST_DOTS || alone ? [place] : [];
  });
}

/** Values over time as lines. For a screen reader it is nothing; its table says the same. */
export function LineChart(props: LineChartProps) {
  const { labels, series, times, unit, off, bare } = props;
  const { filled = false, levels = false, active = null } = props;
  const shown = series.filter(({ name }) => !off?.has(name));
  if (!series.some(({ values }) => values.some((value) => value !== null))) {
    return <NothingToDraw />;
  }
  const ticks = levels ? LEVEL_TICKS : ticksFor(shown.length > 0 ? shown : series);
  const y = scaleLinear([ticks.at(-1) ?? 0, ticks[0] ?? 1], [HEIGHT, 0]);
  const shares = sharesOf(times ?? labels.map((_, place) => place));
  const at = (place: number) => short(WIDTH * (shares[place] ?? 0));
  type Point = number | null;
  const known = (value: Point) => value !== null;
  const draw = line<Point>(
    (_, place) => at(place),
    (value) => short(y(value ?? 0)),
  ).defined(known);
  const fill = area<Point>(
    (_, place) => at(place),
    short(y(0)),
    (value) => short(y(value ?? 0)),
  ).defined(known);

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
        {levels &&
          BANDS.map((level, index) => (
            <rect
              key={level}
              y={(index * HEIGHT) / 4}
              width={WIDTH}
              height={HEIGHT / 4}
              className={`band ${levelFill[level]}`}
              opacity="0.12"
            />
          ))}
        {active !== null && (
          <path
            d={`M${at(active)} 0v${HEIGHT}`}
            className="stroke-ink"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {series.map(({ name, values }, index) => {
          if (off?.has(name)) return null;
          const { stroke, fill: colour, dash } = seriesLook(index);
          return (
            <g key={name}>
              {filled && <path d={fill([...values]) ?? ''} className={colour} opacity="0.22" />}
              <path
                d={draw([...values]) ?? ''}
                className={stroke}
                strokeWidth="2.5"
                strokeDasharray={dash}
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
              {dotPlaces(values).map((place) => (
                <path
                  key={place}
                  d={`M${at(place)} ${short(y(values[place] ?? 0))}h0`}
                  className={stroke}
                  strokeWidth="7"
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
              {active !== null && values[active] != null && (
                <path
                  d={`M${at(active)} ${short(y(values[active]))}v0`}
                  className={stroke}
                  strokeWidth="13"
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                />
              )}
            </g>
          );
        })}
      </Plot>
    </div>
  );
}
