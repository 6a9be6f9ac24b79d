import { type DrawingProps, Flower, Leaf, Parts } from '../parts.tsx';

/** A month as a lattice, with what happens in it: events. */
export function Calendar({ className, name = 'calendar' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} />
      <path
        d="M8 40H192M8 84H192M8 128H192M8 170H192M30 8V172M76 8V172M124 8V172M170 8V172"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <Leaf name={name} x={42} y={118} turn={-45} size={0.6} tone="light" />
      <Leaf name={name} x={90} y={76} turn={-45} size={0.6} tone="mid" />
      <Leaf name={name} x={138} y={160} turn={-45} size={0.6} tone="deep" />
      <Flower name={name} x={147} y={63} size={1.8} />
    </svg>
  );
}
