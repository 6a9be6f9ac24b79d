import { Flower, Leaf, Parts } from './parts.tsx';
import { along, type LeafSpec, leavesOn, type Point, stem } from './vine.ts';

/** The whole plant, one point for each stage above the ground. */
const points: Point[] = [
  [60, 128],
  [64, 104],
  [52, 84],
  [68, 62],
  [54, 42],
  [66, 22],
];

const leaves: LeafSpec[] = [
  { at: 0.8, side: 'right', size: 0.7, tone: 'mid' },
  { at: 1.6, side: 'left', size: 0.75, tone: 'light' },
  { at: 2.4, side: 'right', size: 0.75, tone: 'deep' },
  { at: 3.3, side: 'left', size: 0.7, tone: 'mid' },
  { at: 4.2, side: 'right', size: 0.65, tone: 'light' },
];

interface GrowingProps {
  /** How many of five steps are done: one leaf more with each. */
  stage: number;
  /** In flower: what the steps were for has been reached. */
  flower?: boolean;
  /** Tells the parts of drawings on one page apart. */
  name: string;
  /** Whether the parts of that name are defined here, once on a page. */
  parts?: boolean;
  className?: string;
}

/**
 * One panel of a plant that grows from step to step. The bars run to both edges, so that panels side
 * by side make one lattice.
 */
export function Growing({ stage, flower = false, name, parts, className }: GrowingProps) {
  const grown = points.slice(0, Math.min(stage, 5) + 1);
  const end = along(grown, grown.length - 1);
  return (
    <svg viewBox="0 0 120 132" className={className} fill="none" aria-hidden="true">
      {parts && <Parts name={name} />}
      <path
        d="M0 24H120M0 70H120M0 116H120M30 4V132M90 4V132"
        className="stroke-lattice"
        strokeWidth="5"
      />
      <path d={stem(grown)} className="stroke-stem" strokeWidth="3.2" strokeLinecap="round" />
      {leavesOn(
        grown,
        leaves.filter(({ at }) => at < grown.length - 1),
      ).map((leaf) => (
        <Leaf key={`${leaf.x} ${leaf.y}`} name={name} {...leaf} />
      ))}
      {flower ? (
        <Flower name={name} x={Math.round(end.x)} y={Math.round(end.y) - 2} size={1.25} />
      ) : (
        <Leaf
          name={name}
          x={Math.round(end.x)}
          y={Math.round(end.y)}
          turn={Math.round(end.turn)}
          size={0.55}
          tone="light"
        />
      )}
    </svg>
  );
}
