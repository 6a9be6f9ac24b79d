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

/** A leaf 40 units long, growing to the right from 0,0. */
const leafShape = 'M0 0C8-13 26-16 40-5C33 10 13 13 0 0Z';
const leafVein = 'M4-.6C14-4.5 25-6 35-4.8';

/** Five petals of a marigold, 11 units from heart to edge. */
const petals = [0, 1, 2, 3, 4].map((n) => {
  const turn = (n * 2 * Math.PI) / 5 - Math.PI / 2;
  return { cx: (5.6 * Math.cos(turn)).toFixed(1), cy: (5.6 * Math.sin(turn)).toFixed(1) };
});

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
