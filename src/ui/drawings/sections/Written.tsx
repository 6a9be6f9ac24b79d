import { type DrawingProps, Leaf, Parts } from '../parts.tsx';

/** Lines of writing with a vine between them: articles. */
export function Written({ className, name = 'written' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} flower={false} />
      <path
        d="M10 22H190M10 55H176M10 88H186M10 121H160M10 154H96"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <path
        d="M60 170C58 148 84 140 82 116S54 84 76 64S120 52 124 26"
        className="stroke-stem"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <Leaf name={name} x={80} y={128} turn={-20} size={1.1} tone="deep" flip />
      <Leaf name={name} x={72} y={92} turn={-160} size={1} tone="mid" />
      <Leaf name={name} x={92} y={56} turn={20} size={1} tone="deep" flip />
      <Leaf name={name} x={84} y={59} turn={-125} size={0.9} tone="light" />
      <Leaf name={name} x={124} y={28} turn={-70} size={0.7} tone="light" />
    </svg>
  );
}
