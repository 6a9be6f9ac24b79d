import { type DrawingProps, Leaf, Parts } from '../parts.tsx';

/** Quotation marks made of leaves. */
export function Quoted({ className, name = 'quoted' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <path
        d="M10 24H190M10 88H190M10 152H190M24 8V172M100 8V172M176 8V172"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <path
        d="M32 64C28 48 36 40 48 38M66 64C62 48 70 40 82 38M134 112C138 128 130 136 118 138M168 112C172 128 164 136 152 138"
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <Leaf name={name} x={32} y={62} turn={82} size={1.25} tone="deep" />
      <Leaf name={name} x={66} y={62} turn={82} size={1.25} tone="light" />
      <Leaf name={name} x={134} y={114} turn={-98} size={1.25} tone="mid" />
      <Leaf name={name} x={168} y={114} turn={-98} size={1.25} tone="deep" />
    </svg>
  );
}
