import type { Series } from './LineChart.tsx';
import { valueText } from './values.ts';

export interface NumbersTableProps {
  caption: string;
  labels: readonly string[];
  series: readonly Series[];
  unit?: string;
}

/** A chart's data as a table. */
export function NumbersTable({ caption, labels, series, unit = '' }: NumbersTableProps) {
  return (
    <table className="numbers">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <td />
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, place) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{valueText(values[place] ?? null, unit)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
