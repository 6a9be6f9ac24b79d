import type { ReactNode } from 'react';

interface ResultTableProps {
  caption: string;
  /** The first column's header and those of the figures. */
  headers: readonly string[];
  rows: readonly { name: ReactNode; key: string; values: readonly ReactNode[] }[];
}

/** A table of figures that scrolls sideways on a phone. */
export const ResultTable = ({ caption, headers: [first, ...headers], rows }: ResultTableProps) => (
  <section
    className="card relative overflow-x-auto"
    aria-label={caption}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
    tabIndex={0}
  >
    <table className="w-full min-w-[46rem] text-left text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b border-line text-muted">
        <tr>
          <th scope="col" className="px-4 py-3 font-semibold">
            {first}
          </th>
          {headers.map((header) => (
            <th key={header} scope="col" className="px-3 py-3 text-right font-semibold">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, key, values }) => (
          <tr key={key} className="border-b border-line last:border-0">
            <th scope="row" className="min-w-44 px-4 py-2.5 font-medium">
              {name}
            </th>
            {values.map((value, place) => (
              <td key={headers[place]} className="px-3 py-2.5 text-right figures">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
