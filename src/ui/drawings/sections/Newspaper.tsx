import { type DrawingProps, Leaf, Parts } from '../parts.tsx';

/** A front page with a sprig for its picture: news for the press. */
export function Newspaper({ className, name = 'newspaper' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <rect
        x="14"
        y="10"
        width="172"
        height="158"
        rx="10"
        className="stroke-lattice"
        strokeWidth="6"
      />
      <path d="M36 36H164" className="stroke-lattice" strokeWidth="12" strokeLinecap="round" />
      <path
        d="M36 68H84M36 90H84M36 112H84M36 134H84M112 148H164"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <path
        d="M134 128C130 110 142 104 138 90S140 74 142 70"
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <Leaf name={name} x={136} y={112} turn={-35} size={0.8} tone="deep" flip />
      <Leaf name={name} x={138} y={98} turn={-155} size={0.8} tone="mid" />
      <Leaf name={name} x={141} y={74} turn={-75} size={0.6} tone="light" />
    </svg>
  );
}
