import { type DrawingProps, Leaf, Parts } from '../parts.tsx';

/** A post whose arms are leaves: guides that say which way. */
export function Signpost({ className, name = 'signpost' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <path
        d="M100 12V170M44 170H156"
        className="stroke-lattice"
        strokeWidth="8"
        strokeLinecap="round"
      />
      <path
        d="M76 168C74 148 124 142 122 118S78 94 80 74S112 52 104 34"
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path d="M100 138V146M100 92V100" className="stroke-lattice" strokeWidth="8" />
      <Leaf name={name} x={122} y={116} turn={-4} size={1.6} tone="deep" />
      <Leaf name={name} x={80} y={76} turn={184} size={1.6} tone="mid" flip />
      <Leaf name={name} x={106} y={42} turn={-6} size={1.3} tone="light" />
    </svg>
  );
}
