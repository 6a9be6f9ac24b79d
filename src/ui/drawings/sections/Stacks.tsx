import { type DrawingProps, Flower, Leaf, type LeafTone, Parts } from '../parts.tsx';

const stacks: { x: number; leaves: LeafTone[] }[] = [
  { x: 44, leaves: ['mid'] },
  { x: 100, leaves: ['deep', 'mid'] },
  { x: 156, leaves: ['deep', 'mid', 'light'] },
];

/** One, two and three pairs of leaves: what more costs. */
export function Stacks({ className, name = 'stacks' }: DrawingProps) {
  return (
    <svg viewBox="0 0 200 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} />
      <path
        d="M8 60H192M8 112H192M8 164H192M44 10V170M100 10V170M156 10V170"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      {stacks.map(({ x, leaves }) => {
        const last = 186 - leaves.length * 36;
        const top = leaves.length === 3 ? last - 36 : last;
        return (
          <g key={x}>
            <path
              d={`M${x} 164V${top}`}
              className="stroke-stem"
              strokeWidth="4"
              strokeLinecap="round"
            />
            {leaves.map((tone, index) => (
              <g key={tone}>
                <Leaf name={name} x={x} y={150 - index * 36} turn={-30} size={0.6} tone={tone} />
                <Leaf
                  name={name}
                  x={x}
                  y={150 - index * 36}
                  turn={-150}
                  size={0.6}
                  tone={tone}
                  flip
                />
              </g>
            ))}
            {leaves.length === 3 ? (
              <Flower name={name} x={x} y={top} size={1.3} />
            ) : (
              <Leaf name={name} x={x} y={top} turn={-84} size={0.45} tone="light" />
            )}
          </g>
        );
      })}
    </svg>
  );
}
