import { type DrawingProps, Leaf, Parts } from '../parts.tsx';

/** An envelope with a sprig for its seal: write to us. */
export function Letter({ className, name = 'letter' }: DrawingProps) {
  return (
    <svg viewBox="0 0 204 160" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <rect
        x="12"
        y="18"
        width="180"
        height="124"
        rx="12"
        className="stroke-lattice"
        strokeWidth="6"
      />
      <path
        d="M16 26L102 94L188 26M18 136L76 78M186 136L128 78"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path
        d="M102 126C100 112 104 104 102 88"
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <Leaf name={name} x={102} y={110} turn={-30} size={1} tone="mid" flip />
      <Leaf name={name} x={102} y={102} turn={-150} size={1} tone="deep" />
      <Leaf name={name} x={102} y={92} turn={-85} size={0.9} tone="light" />
    </svg>
  );
}
