import { ticksFor } from './LineChart.tsx';
import { HEIGHT, NothingToDraw, Plot, short, WIDTH } from './Plot.tsx';
import { heightScale } from './scale.ts';

export interface ColumnChartProps {
  /** The labels under the columns, in order. */
  labels: readonly string[];
  /** One per label, positive or negative; null if unknown, which leaves a gap. */
  values: readonly (number | null)[];
  unit?: string | undefined;
  /** Leaves no gaps between columns, as in a histogram. */
  joined?: boolean;
  /** The index of the column with the user's own value, which is highlighted. */
  own?: number | null;
  /** The index of the selected column. */
  active?: number | null;
}

/** Values as columns, below the baseline if negative. Show it with a NumbersTable. */
export function ColumnChart(props: ColumnChartProps) {
  const { labels, values, unit, joined = false, own = null, active = null } = props;
  if (!values.some((value) => value !== null)) return <NothingToDraw />;
  const ticks = ticksFor([{ name: '', values }]);
  const y = heightScale(ticks, HEIGHT);
  const band = WIDTH / Math.max(1, labels.length);
  const wide = short(joined ? band * 0.97 : Math.min(band * 0.68, WIDTH / 6));
  const middle = (place: number) => (place + 0.5) * band;
  /** Columns of one style share a path, so a thousand of them are a single element to draw. */
  const columns = (has: (value: number, place: number) => boolean) =>
    values
      .map((value, place) => {
        if (value === null || value === 0 || !has(value, place)) return '';
        const high = Math.max(short(Math.abs(y(value) - y(0))), 1);
        const top = value < 0 ? short(y(0)) : short(y(0) - high);
        return `M${short(middle(place) - wide / 2)} ${top}h${wide}v${high}h${-wide}z`;
      })
      .join('');
  return (
    <div className="column-chart" aria-hidden="true">
      <Plot ticks={ticks} y={y} labels={labels} places="bands" {...(unit && { unit })}>
        {active !== null && (
          <rect
            x={short(active * band)}
            width={short(band)}
            height={HEIGHT}
            className="fill-petal stroke-edge"
            vectorEffect="non-scaling-stroke"
          />
        )}
        <path d={columns((value, place) => value > 0 && place !== own)} className="fill-leaf" />
        <path d={columns((value) => value < 0)} className="fill-clay" />
        {own !== null && (
          <>
            <path
              d={columns((value, place) => value > 0 && place === own)}
              className="fill-leaf-deep"
            />
            <path
              d={`M${short(middle(own))} 0v${HEIGHT}`}
              className="stroke-ink"
              strokeWidth="2"
              strokeDasharray="3 4"
              vectorEffect="non-scaling-stroke"
            />
          </>
        )}
        <path
          d={`M0 ${short(y(0))}h${WIDTH}`}
          className="stroke-edge"
          vectorEffect="non-scaling-stroke"
        />
      </Plot>
    </div>
  );
}
