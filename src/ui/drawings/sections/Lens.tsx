import { type DrawingProps, Leaf, Parts } from '../parts.tsx';

/** A leaf among others, seen large through a lens: search. */
export function Lens({ className, name = 'lens' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <Leaf name={name} x={150} y={40} turn={-40} size={0.7} tone="light" />
      <Leaf name={name} x={22} y={150} turn={-40} size={0.7} tone="mid" />
      <Leaf name={name} x={160} y={86} turn={-40} size={0.7} tone="deep" />
      <Leaf name={name} x={72} y={166} turn={-40} size={0.7} tone="light" />
      <path
        d="M128 118L176 162"
        className="stroke-lattice"
        strokeWidth="14"
        strokeLinecap="round"
      />
      <circle cx="88" cy="78" r="62" className="fill-surface stroke-lattice" strokeWidth="8" />
      <Leaf name={name} x={54} y={104} turn={-38} size={2.1} tone="mid" />
    </svg>
  );
}
