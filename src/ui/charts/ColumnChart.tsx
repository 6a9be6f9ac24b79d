import { scaleLinear } from 'd3-scale';
import { ticksFor } from './LineChart.tsx';
import { HEIGHT, NothingToDraw, Plot, short, WIDTH } from './Plot.tsx';

export interface ColumnChartProps {
  /** What stands under the columns, in order. */
  labels: readonly string[];
  /** One for each label, of either sign; null where it is not known, which leaves a gap. */
  values: readonly (number | null)[];
  unit?: string | undefined;
  /** Columns touch, as those of a distribution do. */
  joined?: boolean;
  /** The column that is marked: where somebody's own value lies. */
  own?: number | null;
  /** The place that is read. */
  active?: number | null;
}

/** Values as columns, below the line where they are below 0. Its table says the same. */
export function ColumnChart(props: ColumnChartProps) {
  const { labels, values, unit, joined = false, own = null, active = null } = props;
  if (!values.some((value) => value !== null)) return <NothingToDraw />;
  const ticks = ticksFor([{ name: '', values }]);
  const y = scaleLinear([ticks.at(-1) ?? 0, ticks[0] ?? 1], [HEIGHT, 0]);
  const band = WIDTH / Math.max(1, labels.length);
  const wide = short(joined ? band * 0.97 : Math.min(band * 0.68, WIDTH / 6));
  return (
    <div className="column-chart" aria-hidden="true">
      <Plot ticks={ticks} y={y} labels={labels} places="bands" {...(unit && { unit })}>
        {values.map((value, place) => {
          const middle = (place + 0.5) * band;
          return (
            <g key={labels[place]}>
              {active === place && (
                <rect
                  x={short(place * band)}
                  width={short(band)}
                  height={HEIGHT}
                  className="fill-petal"
                />
              )}
              {value !== null && value !== 0 && (
                <rect
                  x={short(middle - wide / 2)}
                  width={wide}
                  y={short(Math.min(y(0), y(value)))}
                  height={Math.max(short(Math.abs(y(value) - y(0))), 1)}
                  className={
                    value < 0 ? 'fill-clay' : own === place ? 'fill-leaf-deep' : 'fill-leaf'
                  }
                />
              )}
              {own === place && (
                <path
                  d={`M${short(middle)} 0v${HEIGHT}`}
                  className="stroke-ink"
                  strokeWidth="2"
                  strokeDasharray="3 4"
                  vectorEffect="non-scaling-stroke"
                />
              )}
            </g>
          );
        })}
        <path
          d={`M0 ${short(y(0))}h${WIDTH}`}
          className="stroke-edge"
          vectorEffect="non-scaling-stroke"
        />
      </Plot>
    </div>
  );
}
