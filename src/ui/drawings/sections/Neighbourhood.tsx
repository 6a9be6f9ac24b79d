import { type DrawingProps, Flower, Leaf, Parts } from '../parts.tsx';

/** How tall each plant of the row is, and whether it flowers. */
const plants = [
  { x: 26, top: 112 },
  { x: 64, top: 64, flower: true },
  { x: 102, top: 92 },
  { x: 140, top: 40, flower: true },
  { x: 178, top: 126 },
];

/** Five plants on one lattice, each as far as it is: the businesses of a place. */
export function Neighbourhood({ className, name = 'neighbourhood' }: DrawingProps) {
  return (
    <svg viewBox="0 0 204 176" className={className} fill="none" aria-hidden="true">
      <Parts name={name} />
      <path
        d="M6 24H198M6 70H198M6 116H198M6 162H198M45 8V172M83 8V172M121 8V172M159 8V172"
        className="stroke-lattice"
        strokeWidth="6"
        strokeLinecap="round"
      />
      {plants.map(({ x, top, flower }, index) => (
        <g key={x}>
          <path
            d={`M${x} 170C${x - 10} 150 ${x + 10} ${top + 40} ${x} ${top}`}
            className="stroke-stem"
            strokeWidth="3.6"
            strokeLinecap="round"
          />
          <Leaf name={name} x={x - 1} y={148} turn={-30} size={0.55} tone="mid" flip />
          {top < 120 && <Leaf name={name} x={x} y={132} turn={-150} size={0.55} tone="deep" />}
          {top < 90 && (
            <Leaf name={name} x={x + 2} y={104} turn={-30} size={0.5} tone="light" flip />
          )}
          {top < 50 && <Leaf name={name} x={x + 1} y={80} turn={-150} size={0.5} tone="mid" />}
          {flower ? (
            <Flower name={name} x={x} y={top} size={1.2} />
          ) : (
            <Leaf
              name={name}
              x={x}
              y={top + 3}
              turn={index % 2 ? -100 : -75}
              size={0.5}
              tone="light"
            />
          )}
        </g>
      ))}
    </svg>
  );
}
