/** The styles of a chart's series. Dashes and position tell them apart, never color alone. */
export const SERIES = [
  { stroke: 'stroke-leaf-deep', fill: 'fill-leaf-deep', dash: undefined },
  { stroke: 'stroke-clay', fill: 'fill-clay', dash: '7 4' },
  { stroke: 'stroke-accent', fill: 'fill-accent', dash: '2 4' },
  { stroke: 'stroke-leaf-light', fill: 'fill-leaf-light', dash: '10 3 2 3' },
  { stroke: 'stroke-muted', fill: 'fill-muted', dash: '1 6' },
] as const;

/** Colors for ordered parts, such as answers from 1 to 5: from clay through sand to green. */
const SCALE = ['fill-clay', 'fill-accent', 'fill-edge', 'fill-leaf-light', 'fill-leaf-deep'];

/** The color of one part of a scale; the ends have the same colors for any number of parts. */
export const scaleFill = (index: number, count: number) =>
  SCALE[count < 2 ? 2 : Math.round((index * (SCALE.length - 1)) / (count - 1))];

/** The style of a series by its index; they repeat from the sixth on. */
export const seriesLook = (index: number) => SERIES[index % SERIES.length] ?? SERIES[0];

export interface LegendProps {
  names: readonly string[];
  /** What the swatches show: a line's dashes, an area's color, or a scale's colors in order. */
  as: 'line' | 'area' | 'scale';
  /** Names of hidden series. */
  off?: ReadonlySet<string>;
  /** Shows or hides a series. If set, the names are buttons. */
  onToggle?: ((name: string) => void) | undefined;
}

/** The names of the series, each with a swatch. */
export function Legend({ names, as, off, onToggle }: LegendProps) {
  return (
    <ul className="chart-legend">
      {names.map((name, index) => {
        const { stroke, fill, dash } = seriesLook(index);
        const look = (
          <>
            <svg viewBox="0 0 24 10" aria-hidden="true">
              {as === 'line' ? (
                <path d="M0 5h24" className={stroke} strokeWidth="3" strokeDasharray={dash} />
              ) : (
                <rect
                  width="24"
                  height="10"
                  className={as === 'scale' ? scaleFill(index, names.length) : fill}
                />
              )}
            </svg>
            <span>{name}</span>
          </>
        );
        return (
          <li key={name}>
            {onToggle ? (
              <button type="button" aria-pressed={!off?.has(name)} onClick={() => onToggle(name)}>
                {look}
              </button>
            ) : (
              look
            )}
          </li>
        );
      })}
    </ul>
  );
}
