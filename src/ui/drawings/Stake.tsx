import { type DrawingProps, Flower, Leaf, Parts } from './parts.tsx';
import { leavesOn, type Point, stem } from './vine.ts';

const points: Point[] = [
  [70, 262],
  [72, 232],
  [98, 192],
  [70, 150],
  [98, 108],
  [76, 68],
  [104, 34],
];

/** A plant tied to a stake, which supports it while it grows. */
export function Stake({ className, name: own = 'stake', partsOf }: DrawingProps) {
  const name = partsOf ?? own;
  return (
    <svg viewBox="0 0 170 266" className={className} fill="none" aria-hidden="true">
      {partsOf === undefined && <Parts name={name} />}
      <path d="M85 262V14" className="stroke-lattice" strokeWidth="7" strokeLinecap="round" />
      <path d={stem(points)} className="stroke-stem" strokeWidth="4" strokeLinecap="round" />
      {[172, 129, 89].map((y) => (
        <path
          key={y}
          d={`M77 ${y - 3}l16 6`}
          className="stroke-accent"
          strokeWidth="3"
          strokeLinecap="round"
        />
      ))}
      {leavesOn(points, [
        { at: 1.7, side: 'right', size: 1.1, tone: 'mid' },
        { at: 2.1, side: 'right', size: 1, tone: 'deep' },
        { at: 2.9, side: 'left', size: 1.15, tone: 'light' },
        { at: 3.9, side: 'right', size: 1.1, tone: 'mid' },
        { at: 4.9, side: 'left', size: 1, tone: 'deep' },
        { at: 5.4, side: 'right', size: 0.9, tone: 'light' },
      ]).map((leaf) => (
        <Leaf key={`${leaf.x} ${leaf.y}`} name={name} {...leaf} />
      ))}
      <Leaf name={name} x={92} y={47} turn={-120} size={0.7} tone="mid" />
      <Flower name={name} x={106} y={30} size={1.5} />
    </svg>
  );
}
