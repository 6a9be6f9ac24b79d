import type { ReactNode } from 'react';
import { labelsThatFit, ROOM } from './labels.ts';
import { tickText } from './values.ts';

/** The viewBox size. The drawing is stretched to fit; text is outside it, in HTML. */
export const [WIDTH, HEIGHT] = [600, 240];

/** Rounds a coordinate to a tenth, which is less than a pixel on a phone. */
export const short = (value: number) => Math.round(value * 10) / 10;

export interface PlotProps {
  /** Highest first, evenly spaced; the drawing spans from the last to the first. */
  ticks: readonly number[];
  /** A value's y coordinate. */
  y: (value: number) => number;
  /** The labels under the drawing, in order. */
  labels: readonly string[];
  /** Whether labels belong to points from edge to edge, or to bands side by side. */
  places: 'points' | 'bands';
  /** Each point's position, 0 to 1, if they aren't evenly spaced. */
  shares?: readonly number[] | undefined;
  unit?: string;
  /** Labels at the right edge of the drawing, from top to bottom. */
  beside?: readonly string[];
  children: ReactNode;
}

/**
 * The frame of a chart with a vertical value axis: ticks, grid lines and labels. The drawing
 * stretches but its text doesn't, so it's the same size on a phone as on a desktop.
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
