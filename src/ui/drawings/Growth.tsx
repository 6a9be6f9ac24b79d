import { type DrawingProps, Flower, Leaf, Parts } from './parts.tsx';

const stems = [
  'M40 84C40 76 40 70 41 64',
  'M40 84C36 68 46 58 42 44S40 34 42 30',
  'M40 84C34 66 50 56 42 40S40 22 46 12',
];

/** How far something has grown: 1 a sprout, 2 a plant, 3 in flower. */
export function Growth(props: DrawingProps & { stage: 1 | 2 | 3 }) {
  const { stage, className, partsOf } = props;
  const name = partsOf ?? props.name ?? `growth-${stage}`;
  return (
    <svg viewBox="0 0 80 90" className={className} fill="none" aria-hidden="true">
      {partsOf === undefined && <Parts name={name} />}
      <path
        d="M18 6v78M62 6v78M4 26h72M4 64h72"
        className="stroke-lattice"
        strokeWidth="4.5"
        strokeLinecap="round"
      />
      <path d={stems[stage - 1]} className="stroke-stem" strokeWidth="3" strokeLinecap="round" />
      {stage === 1 && (
        <>
          <Leaf name={name} x={41} y={66} turn={-28} size={0.55} tone="mid" flip />
          <Leaf name={name} x={41} y={66} turn={-146} size={0.5} tone="light" />
        </>
      )}
      {stage >= 2 && (
        <>
          <Leaf name={name} x={41} y={62} turn={-18} size={0.66} tone="deep" flip />
          <Leaf name={name} x={43} y={52} turn={-150} size={0.62} tone="light" />
          <Leaf name={name} x={42} y={40} turn={-24} size={0.6} tone="mid" flip />
        </>
      )}
      {stage === 2 && <Leaf name={name} x={42} y={31} turn={-96} size={0.5} tone="light" />}
      {stage === 3 && (
        <>
          <Leaf name={name} x={41} y={32} turn={-160} size={0.56} tone="mid" />
          <Flower name={name} x={47} y={13} size={1.15} />
        </>
      )}
    </svg>
  );
}
