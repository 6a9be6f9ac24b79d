import { short } from './Plot.tsx';

export interface SparklineProps {
  /** In order of time; null where it is not known, which leaves a gap. */
  values: readonly (number | null)[];
}

const [WIDE, HIGH] = [100, 24];

/** A line as high as its words. The figures beside it say the same, so it's hidden from screen readers. */
export function Sparkline({ values }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  // It fills its height: most values never come near 0.
  const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const y = (value: number) =>
    short(high === low ? HIGH / 2 : HIGH - (HIGH * (value - low)) / (high - low));
  const x = (place: number) =>
    values.length === 1 ? WIDE : short((WIDE * place) / (values.length - 1));
  let path = '';
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const joined = place > 0 && values[place - 1] !== null;
    // A value between two gaps is a dot.
    path += `${joined ? 'L' : 'M'}${x(place)} ${y(value)}${joined ? '' : 'h0'}`;
  }
  const last = values.findLastIndex((value) => value !== null);
  return (
    <svg
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      preserveAspectRatio="none"
      fill="none"
      className="sparkline"
      aria-hidden="true"
    >
      <path
        d={path}
        className="stroke-stem"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last >= 0 && (
        <path
          d={`M${x(last)} ${y(values[last] ?? 0)}h0`}
          className="stroke-clay"
          strokeWidth="7"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
