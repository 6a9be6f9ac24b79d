import { Sparkline } from './Sparkline.tsx';
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
