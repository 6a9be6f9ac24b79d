/** How the series of a chart are told apart: by a line's dashes and by a place, never by colour alone. */
export const SERIES = [
  { stroke: 'stroke-leaf-deep', fill: 'fill-leaf-deep', dash: undefined },
  { stroke: 'stroke-clay', fill: 'fill-clay', dash: '7 4' },
  { stroke: 'stroke-accent', fill: 'fill-accent', dash: '2 4' },
  { stroke: 'stroke-leaf-light', fill: 'fill-leaf-light', dash: '10 3 2 3' },
] as const;

/** The look of the first, second … series; from the fifth on they begin again. */
export const seriesLook = (index: number) => SERIES[index % SERIES.length] ?? SERIES[0];

export interface LegendProps {
  names: readonly string[];
  /** Lines show their dashes, areas their colour. */
  as: 'line' | 'area';
}

/** The names of the series, each beside what it looks like. */
export function Legend({ names, as }: LegendProps) {
  return (
    <ul className="chart-legend">
      {names.map((name, index) => {
        const { stroke, fill, dash } = seriesLook(index);
        return (
          <li key={name}>
            <svg viewBox="0 0 24 10" aria-hidden="true">
              {as === 'line' ? (
                <path d="M0 5h24" className={stroke} strokeWidth="3" strokeDasharray={dash} />
              ) : (
                <rect width="24" height="10" className={fill} />
              )}
            </svg>
            {name}
          </li>
        );
      })}
    </ul>
  );
}
