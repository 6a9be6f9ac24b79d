import { classNames } from '../class-names.ts';
import { cellOf, columnsWithText, ROW, WIDE } from './cells.tsx';
import type { DataColumn } from './columns.ts';
import { SortHeader } from './table-parts.tsx';

interface PlainTableProps<Row extends { id: string }> {
  /** The table's name: "Seats". */
  caption: string;
  columns: readonly Omit<DataColumn<Row>, 'sort'>[];
  rows: readonly Row[];
}

/** A table without filters, sorting or pages of its own; like any list, it's cards on a phone. */
export function PlainTable<Row extends { id: string }>(props: PlainTableProps<Row>) {
  const { caption, rows } = props;
  const columns = columnsWithText(props.columns, rows);
  return (
    <div className="card p-5 md:p-6">
      <table role="table" className="rows w-full border-collapse text-left text-sm max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="hidden text-xs text-muted md:table-header-group">
          <tr role="row">
            {columns.map((column) => (
              <SortHeader
                key={column.id}
                column={column}
                control={undefined}
                className={classNames(column.from === 'wide' && WIDE)}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {rows.map((row) => (
            <tr key={row.id} role="row" className={ROW}>
              {columns.map((column) => cellOf(column, row))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
