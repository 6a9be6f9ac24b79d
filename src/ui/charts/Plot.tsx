import type { ReactNode } from 'react';
import { labelsThatFit, ROOM } from './labels.ts';
import { tickText } from './values.ts';

/** The size of the drawing's own grid; it stretches to its place, and words stand beside it. */
export const [WIDTH, HEIGHT] = [600, 240];

/** A place in the drawing, to a tenth: a pixel of a phone is wider. */
export const short = (value: number) => Math.round(value * 10) / 10;

export interface PlotProps {
  /** Highest first, evenly spaced; the drawing reaches from the last to the first. */
  ticks: readonly number[];
  /** Where a value stands in the drawing. */
  y: (value: number) => number;
  /** What stands under the drawing, in order. */
  labels: readonly string[];
  /** Places are points from edge to edge, or bands side by side. */
  places: 'points' | 'bands';
  /** Where each point stands, 0 to 1, when they are not evenly spaced. */
  shares?: readonly number[] | undefined;
  unit?: string;
  /** What stands at the end of the drawing, from top to bottom. */
  beside?: readonly string[];
  children: ReactNode;
}

/**
 * The frame of a chart whose values go up: ticks, rules and labels. The drawing stretches and its
 * words do not, so they are as large on a phone as on a desk.
 */
export function Plot({ ticks, y, labels, places, shares, unit = '', beside, children }: PlotProps) {
  return (
    <div className="plot">
      <ul className="ticks">
        {ticks.map((tick) => (
          <li key={tick}>{tickText(tick, unit)}</li>
        ))}
      </ul>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        fill="none"
        aria-hidden="true"
        data-plot={places}
      >
        {ticks.map((tick) => (
          <path
            key={tick}
            d={`M0 ${short(y(tick))}h${WIDTH}`}
            className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {children}
      </svg>
      {beside && (
        <ul className="beside">
          {beside.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ul>
      )}
      {(['narrow', 'wide'] as const).map((width) => (
        <svg key={width} className={`labels ${width}`} aria-hidden="true">
          {labelsThatFit(labels, ROOM[width], places, shares).map(
            ({ place, share, anchor, text }) => (
              <text key={place} x={`${short(share * 100)}%`} y="1em" textAnchor={anchor}>
                {text}
              </text>
            ),
          )}
        </svg>
      ))}
    </div>
  );
}

/** What stands where a chart would, while there is nothing to draw. */
export function NothingToDraw({ words = 'No figures yet.' }: { words?: string | undefined }) {
  return <p className="chart-empty">{words}</p>;
}
