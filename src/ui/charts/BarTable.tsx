import { extent, valueText } from './values.ts';

export interface BarTableProps {
  rows: readonly { label: string; value: number | null }[];
  /** The unit of each value: `$`, `%` or a word. */
  unit?: string;
  /** What the bars show, for screen readers. */
  caption: string;
}

/** Values as horizontal bars in a table with the numbers, so it doesn't need a separate one. */
export function BarTable({ rows, unit = '', caption }: BarTableProps) {
  const [low, high] = extent(rows.map(({ value }) => value));
  const at = (value: number) => (100 * (value - low)) / (high - low);
  const zero = at(0);
  return (
    <table className="bar-table">
      <caption className="sr-only">{caption}</caption>
      <tbody>
        {rows.map(({ label, value }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="bar" aria-hidden="true">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="10" className="fill-petal" />
                {value !== null && value !== 0 && (
                  <rect
                    x={Math.min(zero, at(value))}
                    width={Math.abs(at(value) - zero)}
                    height="10"
                    className={value < 0 ? 'fill-clay' : 'fill-leaf'}
                  />
                )}
              </svg>
            </td>
            <td className="figure">{valueText(value, unit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
