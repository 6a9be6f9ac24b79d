import { type DrawingProps, Leaf, Parts } from './parts.tsx';
import { leavesOn, type Point, stem } from './vine.ts';

const points: Point[] = [
  [60, 246],
  [66, 210],
  [96, 168],
  [84, 122],
  [118, 92],
  [160, 96],
  [186, 132],
  [184, 168],
];

/** A vine that found no bar to hold on to: for a page that is not there. */
export function Broken({ className, name: own = 'broken', partsOf }: DrawingProps) {
  const name = partsOf ?? own;
  return (
    <svg viewBox="0 0 260 250" className={className} fill="none" aria-hidden="true">
      {partsOf === undefined && <Parts name={name} flower={false} />}
      <path
        d="M28 14v226M84 14v226M140 128v112M140 14v26M196 200v40M196 14v54M236 14v226M10 40h240M10 96h84M228 96h22M10 152h110M214 152h36M10 208h240"
        className="stroke-lattice"
        strokeWidth="6.5"
        strokeLinecap="round"
      />
      <path d={stem(points)} className="stroke-stem" strokeWidth="4" strokeLinecap="round" />
      {leavesOn(points, [
        { at: 1.5, side: 'right', size: 1, tone: 'deep' },
        { at: 2.2, side: 'left', size: 1.05, tone: 'light' },
        { at: 3.2, side: 'left', size: 1, tone: 'mid' },
        { at: 3.9, side: 'right', size: 0.95, tone: 'deep' },
        { at: 4.8, side: 'left', size: 1, tone: 'light' },
        { at: 5.9, side: 'left', size: 0.9, tone: 'mid' },
      ]).map((leaf) => (
        <Leaf key={`${leaf.x} ${leaf.y}`} name={name} {...leaf} />
      ))}
      <Leaf name={name} x={184} y={167} turn={96} size={0.85} tone="light" />
    </svg>
  );
}
