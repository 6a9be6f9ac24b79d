import { type DrawingProps, Leaf, Parts } from './parts.tsx';

/** A small sprig for what is still empty: something could grow here. */
export function Sprig({ className, name: own = 'sprig', partsOf }: DrawingProps) {
  const name = partsOf ?? own;
  return (
    <svg viewBox="0 0 120 80" className={className} fill="none" aria-hidden="true">
      {partsOf === undefined && <Parts name={name} flower={false} />}
      <path
        d="M6 70C30 72 38 58 54 52S86 44 98 26"
        className="stroke-stem"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <Leaf name={name} x={47} y={55} turn={-78} size={0.78} tone="light" />
      <Leaf name={name} x={64} y={49} turn={28} size={0.86} tone="mid" flip />
      <Leaf name={name} x={82} y={41} turn={-100} size={0.7} tone="deep" />
      <Leaf name={name} x={96} y={29} turn={-42} size={0.62} tone="mid" />
    </svg>
  );
}
