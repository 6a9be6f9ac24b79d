import type { ReactNode } from 'react';
import type { DataColumn } from '#ui/table/columns.ts';
import { PlainTable } from '#ui/table/PlainTable.tsx';

interface ResultRow {
  id: string;
  name: ReactNode;
  /** Null stands for a figure that isn't shown, a dash or without its whole column; the note says why. */
  values: readonly ReactNode[];
}

interface ResultTableProps {
  caption: string;
  /** The first column's header and those of the figures. */
  headers: readonly string[];
  rows: readonly ResultRow[];
  /** Which figures aren't shown, and why; below the table if there are any. */
  note: string;
}

/** A table of figures. */
export function ResultTable({ caption, headers, rows, note }: ResultTableProps) {
  const [first = '', ...others] = headers;
  const columns: DataColumn<ResultRow>[] = [
    { id: 'name', header: first, isRowHeader: true, cell: ({ name }) => name },
    ...others.map(
      (header, place): DataColumn<ResultRow> => ({
        id: header,
        header,
        align: 'right',
        none: 'Not shown',
        cell: ({ values }) => values[place],
      }),
    ),
  ];
  return (
    <div className="min-w-0">
      <PlainTable caption={caption} columns={columns} rows={rows} />
      {rows.some(({ values }) => values.includes(null)) && (
        <p className="mt-2 text-xs text-muted">{note}</p>
      )}
    </div>
  );
}
