/** The marks of LoopChart.tsx, each around 0,0. Shape tells them apart, never color alone. */
import { leafShape, leafVein, petals } from '#ui/drawings/shapes.ts';

/** Someone chose to work on the skill: a tie around the stem. */
export const FocusGlyph = () => (
  <circle r="5" className="fill-surface stroke-stem" strokeWidth="2.5" />
);

/** A session: a seat. */
export const SessionGlyph = () => (
  <rect x="-5" y="-5" width="10" height="10" rx="2.5" className="fill-primary" />
);

interface ActionGlyphProps {
  /** Whether it's done; the leaf of an open one is only an outline. */
  isDone: boolean;
  /** Whether it grows to the other side of the stem. */
  flip?: boolean;
}

/** An action: a leaf. */
export const ActionGlyph = ({ isDone, flip = false }: ActionGlyphProps) => (
  <g transform={`rotate(${flip ? 48 : -48}) scale(.52 ${flip ? -0.52 : 0.52})`}>
    <path
      d={leafShape}
      className={isDone ? 'fill-leaf' : 'fill-surface stroke-leaf'}
      strokeWidth={isDone ? undefined : 3}
      strokeLinejoin="round"
    />
    {isDone && <path d={leafVein} className="stroke-vein" strokeWidth="1.6" />}
  </g>
);

/** A tool: a diamond. */
export const ToolGlyph = () => (
  <path
    d="M0-6.500 6.500 0 0 6.500-6.500 0Z"
    className="fill-surface stroke-muted"
    strokeWidth="2"
  />
);

/** A retake with a clearly better score: a marigold. */
export const FlowerGlyph = () => (
  <g transform="scale(.95)">
    <g className="fill-accent">
      {petals.map((petal) => (
        <circle key={petal.cx + petal.cy} {...petal} r="4.7" />
      ))}
    </g>
    <circle r="3" className="fill-clay" />
  </g>
);

/** A score: a knot in the stem. */
export const ScoreGlyph = () => <circle r="4.5" className="fill-stem" />;
