import { classNames } from '../class-names.ts';
import { cellOf, columnsWithText, ROW } from './cells.tsx';
import type { DataColumn } from './columns.ts';
import { lookOf } from './second-line.ts';
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
  const look = lookOf(columns);
  return (
    <div className="card p-5 md:p-6">
      <table
        role="table"
        className={classNames(
          'rows w-full border-collapse text-left text-sm max-md:block',
          look.table,
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead
          role="rowgroup"
          className={classNames('hidden text-xs text-muted md:table-header-group', look.group)}
        >
          <tr role="row" className={look.head}>
            {columns.map((column) => (
              <SortHeader key={column.id} column={column} className={look.headerOf(column)} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={classNames('max-md:block', look.group)}>
          {rows.map((row) => (
            <tr key={row.id} role="row" className={classNames(ROW, look.row)}>
              {columns.map((column) => cellOf(column, row, look))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
