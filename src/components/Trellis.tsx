/**
 * The drawing of the product: a lattice holds three vines while they grow. Rendered where the page
 * is made; it sends no JavaScript.
 */
import { Fragment } from 'react';
import { Flower, Leaf, type LeafTone, Parts } from '#ui/drawings/parts.tsx';
import { along, crossing, type LeafSpec, leavesOn, type Point, stem } from '#ui/drawings/vine.ts';

interface Vine {
  points: Point[];
  leaves: LeafSpec[];
  flowers: { at: number; dx: number; dy: number; size: number }[];
  tip: { size: number; tone: LeafTone };
  /** The heights of the bars behind which it passes. */
  behind: number[];
}

const leaf = (at: number, side: 'left' | 'right', size: number, tone: LeafTone): LeafSpec => ({
  at,
  side,
  size,
  tone,
});

const vines: Vine[] = [
  {
    points: [
      [80, 446],
      [90, 384],
      [138, 316],
      [116, 248],
      [172, 186],
      [190, 120],
      [196, 62],
      [246, 24],
    ],
    leaves: [
      leaf(1.5, 'right', 1.2, 'mid'),
      leaf(2.1, 'left', 1.15, 'light'),
      leaf(2.75, 'right', 1.18, 'deep'),
      leaf(3.1, 'left', 1, 'mid'),
      leaf(3.75, 'right', 1.1, 'mid'),
      leaf(4.3, 'left', 1.15, 'light'),
      leaf(5.3, 'right', 1.16, 'deep'),
      leaf(5.9, 'left', 1, 'mid'),
    ],
    flowers: [
      { at: 2.45, dx: -25, dy: 6, size: 1.15 },
      { at: 6.3, dx: 26, dy: 6, size: 1.35 },
    ],
    tip: { size: 1.1, tone: 'light' },
    behind: [144, 368],
  },
  {
    points: [
      [246, 446],
      [256, 388],
      [302, 312],
      [284, 240],
      [334, 176],
      [356, 118],
      [360, 70],
      [412, 42],
    ],
    leaves: [
      leaf(1.9, 'right', 1.22, 'deep'),
      leaf(2.2, 'left', 1.15, 'mid'),
      leaf(3, 'right', 1.05, 'light'),
      leaf(3.5, 'right', 1, 'mid'),
      leaf(4.1, 'left', 1.12, 'deep'),
      leaf(5.1, 'right', 1.16, 'mid'),
      leaf(5.8, 'left', 1, 'light'),
    ],
    flowers: [{ at: 3.85, dx: 27, dy: 10, size: 1.25 }],
    tip: { size: 1.05, tone: 'mid' },
    behind: [88, 200, 424],
  },
  {
    points: [
      [382, 446],
      [390, 388],
      [412, 330],
      [398, 276],
      [434, 224],
      [452, 166],
    ],
    leaves: [
      leaf(1.4, 'right', 1.1, 'light'),
      leaf(1.8, 'left', 1, 'mid'),
      leaf(2.9, 'right', 1, 'deep'),
      leaf(4.2, 'left', 0.9, 'mid'),
    ],
    flowers: [{ at: 3.5, dx: 20, dy: 12, size: 1.1 }],
    tip: { size: 0.9, tone: 'light' },
    behind: [256],
  },
];

const heights = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => 32 + n * 56);
const across = heights.map((y) => `M4 ${y}h472`).join('');
const upright = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => `M${24 + n * 54} 10v426`).join('');

/** The pieces of bars in front of a vine, which is woven through the lattice. */
const over = vines
  .flatMap(({ points, behind }) =>
    behind.flatMap((y) => {
      const at = crossing(points, y);
      return at ? [`M${at.x - 10} ${y}h20`] : [];
    }),
  )
  .join('');

export function Trellis({ className, name = 'trellis' }: { className?: string; name?: string }) {
  return (
    <svg viewBox="0 -12 480 464" className={className} fill="none" aria-hidden="true">
      <Parts name={name} />
      <path
        d={across + upright}
        className="stroke-lattice"
        strokeWidth="6.5"
        strokeLinecap="round"
      />
      <path
        d={vines.map(({ points }) => stem(points)).join('')}
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path d={over} className="stroke-lattice" strokeWidth="6.5" />
      {vines.map(({ points, leaves, flowers, tip }) => {
        const end = along(points, points.length - 1);
        return (
          <Fragment key={end.x}>
            {leavesOn(points, leaves).map((placed) => (
              <Leaf key={`${placed.x} ${placed.y}`} name={name} {...placed} />
            ))}
            <Leaf name={name} x={end.x} y={end.y} turn={Math.round(end.turn)} {...tip} />
            {flowers.map(({ at, dx, dy, size }) => {
              const { x, y } = along(points, at);
              return (
                <Flower
                  key={at}
                  name={name}
                  x={Math.round(x + dx)}
                  y={Math.round(y + dy)}
                  size={size}
                />
              );
            })}
          </Fragment>
        );
      })}
    </svg>
  );
}
