import { leafShape, leafVein, petals } from './shapes.ts';

/**
 * The parts that every drawing is made of: one leaf with one vein, one marigold. A drawing defines
 * them once under its own name and repeats them with `<use>`.
 */
export type LeafTone = 'deep' | 'mid' | 'light';

const leafTone: Record<LeafTone, string> = {
  deep: 'text-leaf-deep',
  mid: 'text-leaf',
  light: 'text-leaf-light',
};

export interface DrawingProps {
  className?: string;
  /** Tells drawings on one page apart: their parts are named after it. */
  name?: string;
  /** The name of another drawing on the page, complete and before this one, whose parts this one uses. */
  partsOf?: string;
}

/** Defines `{name}-leaf` and `{name}-flower` for `<use>` inside one SVG. */
export function Parts({ name, flower = true }: { name: string; flower?: boolean }) {
  return (
    <defs>
      <g id={`${name}-leaf`}>
        <path d={leafShape} fill="currentColor" />
        <path
          d={leafVein}
          className="stroke-vein"
          fill="none"
          strokeWidth="1"
          strokeLinecap="round"
        />
      </g>
      {flower && (
        <g id={`${name}-flower`}>
          <g className="fill-accent">
            {petals.map((petal) => (
              <circle key={petal.cx + petal.cy} {...petal} r="4.7" />
            ))}
          </g>
          <circle r="3" className="fill-clay" />
        </g>
      )}
    </defs>
  );
}

/** One leaf of a drawing: where it grows, in which direction (degrees), and how large. */
export function Leaf(props: {
  name: string;
  x: number;
  y: number;
  turn: number;
  size?: number;
  tone: LeafTone;
  flip?: boolean;
}) {
  const { name, x, y, turn, size = 1, tone, flip = false } = props;
  return (
    <use
      href={`#${name}-leaf`}
      className={leafTone[tone]}
      transform={`translate(${x} ${y})rotate(${turn})scale(${size}${flip ? ` ${-size}` : ''})`}
    />
  );
}

/** One marigold of a drawing. */
export function Flower({
  name,
  x,
  y,
  size = 1,
}: {
  name: string;
  x: number;
  y: number;
  size?: number;
}) {
  return <use href={`#${name}-flower`} transform={`translate(${x} ${y})scale(${size})`} />;
}
