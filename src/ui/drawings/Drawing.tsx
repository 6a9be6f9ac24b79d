import { leafShape, leafVein, petals } from './shapes.ts';

/** The greens of the leaves, which all have the same shape. */
const TONES = { deep: 'text-leaf-deep', mid: 'text-leaf', light: 'text-leaf-light' } as const;

export interface LeafSpec {
  x: number;
  y: number;
  /** The direction it grows in, in degrees. */
  turn: number;
  size: number;
  tone: keyof typeof TONES;
  flip?: boolean;
}

/** A drawing's data, from back to front. */
export interface Picture {
  /** The prefix of its shapes' ids. */
  name: string;
  /** The viewBox. */
  box: string;
  /** Stroke widths of the lattice bars and the stem; 6 and 4 by default. */
  widths?: readonly [lattice: number, stem: number];
  lattice?: string;
  stem?: string;
  /** Pieces of bars in front of the stem. */
  front?: string;
  /** The ties that hold the stem to a bar. */
  ties?: string;
  leaves: readonly LeafSpec[];
  flowers?: readonly { x: number; y: number; size: number }[];
}

interface DrawingProps {
  picture: Picture;
  /** Reuses the shapes with this name, which an earlier drawing on the page defines. */
  shapesOf?: string | undefined;
  /** Defines its shapes (flowers included) under this name, for later drawings to reuse. */
  shapes?: string | undefined;
  className?: string | undefined;
}

/** Renders a picture as SVG. Shapes are defined once per page and repeated with `<use>`. */
export function Drawing({ picture, shapes, shapesOf, className }: DrawingProps) {
  const { box, widths: [bar, stem] = [6, 4], leaves, flowers = [] } = picture;
  const name = shapesOf ?? shapes ?? picture.name;
  return (
    <svg
      viewBox={box}
      className={className}
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapesOf === undefined && (
        <Shapes name={name} flower={shapes !== undefined || flowers.length > 0} />
      )}
      {picture.lattice && <path d={picture.lattice} className="stroke-lattice" strokeWidth={bar} />}
      {picture.stem && <path d={picture.stem} className="stroke-stem" strokeWidth={stem} />}
      {picture.front && (
        <path d={picture.front} className="stroke-lattice" strokeWidth={bar} strokeLinecap="butt" />
      )}
      {picture.ties && <path d={picture.ties} className="stroke-accent" strokeWidth="3" />}
      {leaves.map((leaf) => (
        <Leaf key={`${leaf.x} ${leaf.y} ${leaf.turn}`} name={name} {...leaf} />
      ))}
      {flowers.map((flower) => (
        <Flower key={`${flower.x} ${flower.y}`} name={name} {...flower} />
      ))}
    </svg>
  );
}

/** Defines `{name}-leaf` and `{name}-flower` for `<use>`. */
export function Shapes({ name, flower = true }: { name: string; flower?: boolean }) {
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

/** One leaf of a drawing. */
export function Leaf({ name, x, y, turn, size, tone, flip }: LeafSpec & { name: string }) {
  return (
    <use
      href={`#${name}-leaf`}
      className={TONES[tone]}
      transform={`translate(${x} ${y})rotate(${turn})scale(${size}${flip ? ` ${-size}` : ''})`}
    />
  );
}

interface FlowerProps {
  name: string;
  x: number;
  y: number;
  size: number;
}

/** One marigold of a drawing. */
export function Flower({ name, x, y, size }: FlowerProps) {
  return <use href={`#${name}-flower`} transform={`translate(${x} ${y})scale(${size})`} />;
}
