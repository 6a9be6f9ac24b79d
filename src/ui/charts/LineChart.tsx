import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { extent } from './extent.ts';
import { Legend, seriesLook } from './Legend.tsx';
import { valueText } from './values.ts';

export interface Series {
  name: string;
  /** One for each label; null where it is not known, which leaves a gap. */
  values: readonly (number | null)[];
}

export interface LineChartProps {
  /** What stands under the points, in order. */
  labels: readonly string[];
  series: readonly Series[];
  unit?: string;
  /** Fills what is between the line and 0. */
  filled?: boolean;
}

/** The size of the drawing's own grid; it stretches to its place, and words stand beside it in HTML. */
const [WIDTH, HEIGHT] = [600, 240];

/** Ticks that cover all values: few, round, evenly spaced, highest first. */
export function ticksFor(series: readonly Series[]): number[] {
  const domain = extent(series.flatMap(({ values }) => values));
  return scaleLinear().domain(domain).nice(4).ticks(4).toReversed();
}

/**
 * Values over time as lines. The drawing stretches and its words do not: labels are HTML beside it,
 * as large on a phone as on a desk. For a screen reader it is nothing; its table says the same.
 */
export function LineChart({ labels, series, unit = '', filled = false }: LineChartProps) {
  const ticks = ticksFor(series);
  const y = scaleLinear([ticks.at(-1) ?? 0, ticks[0] ?? 1], [HEIGHT, 0]);
  const x = scaleLinear([0, Math.max(1, labels.length - 1)], [0, WIDTH]);
  const round = (value: number) => Math.round(value * 10) / 10;
  type Point = number | null;
  const known = (value: Point) => value !== null;
  const draw = line<Point>(
    (_, index) => round(x(index)),
    (value) => round(y(value ?? 0)),
  ).defined(known);
  const fill = area<Point>(
    (_, index) => round(x(index)),
    round(y(0)),
    (value) => round(y(value ?? 0)),
  ).defined(known);
  // Every label where they fit, else the first, the middle and the last.
  const middle = Math.floor((labels.length - 1) / 2);
  const shown =
    labels.length <= 6
      ? labels
      : [labels[0], labels[middle], labels.at(-1)].filter((each) => each !== undefined);

  return (
    <div className="line-chart" aria-hidden="true">
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} as="line" />}
      <ul className="ticks">
        {ticks.map((tick) => (
          <li key={tick}>{valueText(tick, unit)}</li>
        ))}
      </ul>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        fill="none"
        aria-hidden="true"
      >
        {ticks.map((tick) => (
          <path
            key={tick}
            d={`M0 ${round(y(tick))}h${WIDTH}`}
            className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {series.map(({ name, values }, index) => {
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
              {values.map((value, place) =>
                value === null ? null : (
                  <path
                    key={labels[place]}
                    d={`M${round(x(place))} ${round(y(value))}h0`}
                    className={stroke}
                    strokeWidth="7"
                    strokeLinecap="round"
                    vectorEffect="non-scaling-stroke"
                  />
                ),
              )}
            </g>
          );
        })}
      </svg>
      <ul className="labels">
        {shown.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </div>
  );
}
