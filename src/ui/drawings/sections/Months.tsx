import { type DrawingProps, Leaf, type LeafTone, Parts } from '../parts.tsx';

const leaves: { x: number; y: number; tone: LeafTone }[] = [
  { x: 24, y: 74, tone: 'deep' },
  { x: 64, y: 88, tone: 'mid' },
  { x: 104, y: 71, tone: 'light' },
  { x: 144, y: 86, tone: 'mid' },
  { x: 180, y: 68, tone: 'light' },
];

/** A stem along the bars with one leaf in each bay: something that comes once a month. */
export function Months({ className, name = 'months' }: DrawingProps) {
  return (
    <svg viewBox="0 0 210 150" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <path
        d="M6 34H204M6 112H204M24 8V142M64 8V142M104 8V142M144 8V142M184 8V142"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <path
        d="M4 92C18 70 30 66 44 84S70 96 84 78S112 66 124 82S152 92 164 74S190 66 198 58"
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      {leaves.map((leaf) => (
        <Leaf key={leaf.x} name={name} {...leaf} turn={-55} size={0.85} />
      ))}
    </svg>
  );
}
