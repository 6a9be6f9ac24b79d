import { classNames } from '../class-names.ts';
import { short } from './Plot.tsx';

export interface SparklineProps {
  /** Oldest first; null if unknown, which leaves a gap. */
  values: readonly (number | null)[];
  /** Whether each value can be compared with the one before it, so that a line joins the two. */
  joined?: readonly boolean[];
  /** The lowest and the highest value there's room for; by default, those that there are. */
  range?: readonly [low: number, high: number];
  /** The index of the value that's marked; by default, the last one that's known. */
  mark?: number;
  className?: string;
}

const [WIDE, HIGH] = [100, 24];

/** A line as tall as its text. Hidden from screen readers: say the figures in words next to it. */
export function Sparkline({ values, joined, range, mark, className }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  // The axis spans the values and doesn't include 0, as most values are never near it.
  const low = range?.[0] ?? known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = range?.[1] ?? known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const y = (value: number) =>
    short(high === low ? HIGH / 2 : HIGH - (HIGH * (value - low)) / (high - low));
  const x = (place: number) =>
    values.length === 1 ? WIDE : short((WIDE * place) / (values.length - 1));
  const follows = (place: number) =>
    place > 0 &&
    (values[place] ?? null) !== null &&
    (values[place - 1] ?? null) !== null &&
    (joined?.[place] ?? true);
  let path = '';
  let dots = '';
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const at = `${x(place)} ${y(value)}`;
    if (follows(place)) path += `L${at}`;
    else if (follows(place + 1)) path += `M${at}`;
    // A value on its own is a dot.
    else dots += `M${at}h0`;
  }
  const marked = mark ?? values.findLastIndex((value) => value !== null);
  return (
    <svg
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      preserveAspectRatio="none"
      fill="none"
      className={classNames('sparkline', className)}
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
      {dots && (
        <path
          d={dots}
          className="stroke-stem"
          strokeWidth="5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {marked >= 0 && (
        <path
          d={`M${x(marked)} ${y(values[marked] ?? 0)}h0`}
          className="stroke-clay"
          strokeWidth="7"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
