import { short } from './Plot.tsx';
import { valueText } from './values.ts';

export interface SparkRow {
  label: string;
  /** Oldest first; null if unknown, which leaves a gap. */
  values: readonly (number | null)[];
  unit?: string;
}

export interface SparkTableProps {
  rows: readonly SparkRow[];
  /** What the rows show, for screen readers. */
  caption: string;
}

/** The latest known value and its change since the first: "+3" or "−$1,200"; a dash if only one. */
export function changeOf(
  values: SparkRow['values'],
  unit = '',
): { latest: string; change: string } {
  const known = values.filter((value) => value !== null);
  const [first, latest] = [known[0] ?? null, known.at(-1) ?? null];
  const latestText = valueText(latest, unit);
  if (first === null || latest === null || known.length < 2)
    return { latest: latestText, change: '–' };
  const change = latest - first;
  // A change from 20% to 30% is ten percentage points, not 10%.
  const by = valueText(change, unit === '%' ? 'points' : unit);
  return { latest: latestText, change: change > 0 ? `+${by}` : change === 0 ? 'no change' : by };
}

const [WIDE, HIGH] = [100, 24];

/** A sparkline as tall as its text. Hidden from screen readers, which get the numbers instead. */
export function Sparkline({ values }: Pick<SparkRow, 'values'>) {
  const known = values.filter((value) => value !== null);
  // The axis spans the values and doesn't include 0, as most values are never near it.
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
    // A value between two gaps is drawn as a dot.
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

/** Figures over time, one per row: name, sparkline, latest value, and change since the first. */
export function SparkTable({ rows, caption }: SparkTableProps) {
  return (
    <table className="spark-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <td aria-hidden="true" />
          <th scope="col">Latest</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values, unit = '' }) => {
          const { latest, change } = changeOf(values, unit);
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td aria-hidden="true">
                <Sparkline values={values} />
              </td>
              <td>{latest}</td>
              <td>{change}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
