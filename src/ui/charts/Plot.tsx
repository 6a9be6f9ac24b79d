import type { ReactNode } from 'react';
import { labelsThatFit, ROOM } from './labels.ts';
import { tickText } from './values.ts';

/** The size of the drawing's own grid; it's stretched to fit, and words are outside it. */
export const [WIDTH, HEIGHT] = [600, 240];

/** A place in the drawing, to a tenth: a pixel of a phone is wider. */
export const short = (value: number) => Math.round(value * 10) / 10;

export interface PlotProps {
  /** Highest first, evenly spaced; the drawing reaches from the last to the first. */
  ticks: readonly number[];
  /** The position of a value in the drawing. */
  y: (value: number) => number;
  /** The words under the drawing, in order. */
  labels: readonly string[];
  /** Places are points from edge to edge, or bands side by side. */
  places: 'points' | 'bands';
  /** The position of each point, 0 to 1, when they aren't evenly spaced. */
  shares?: readonly number[] | undefined;
  unit?: string;
  /** The words at the end of the drawing, from top to bottom. */
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

/** Shown in place of a chart without values. */
export function NothingToDraw({ words = 'No figures yet.' }: { words?: string | undefined }) {
  return <p className="chart-empty">{words}</p>;
}
