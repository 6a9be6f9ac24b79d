import { useId } from 'react';
import { classNames } from '../class-names.ts';
import { cellOf, columnsWithText, ROW } from './cells.tsx';
import type { DataTableProps, TableOf } from './DataTable.tsx';
import { lookOf, type TableLook } from './second-line.ts';
import { CheckboxCell, renderCheckbox, SortHeader } from './table-parts.tsx';

/** A page's rows: a table, displayed as cards on a phone. */
export function DataRows<Row extends { id: string }>(
  props: DataTableProps<Row> & { table: TableOf<Row> },
) {
  const { caption, table, actions } = props;
  const { rows } = table.getRowModel();
  const columns = columnsWithText(
    props.columns,
    rows.map(({ original }) => original),
  );
  const look = lookOf(columns, actions !== undefined);
  const id = useId();
  const all = {
    checked: table.getIsAllRowsSelected(),
    mixed: table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected(),
    onChange: table.getToggleAllRowsSelectedHandler(),
  };
  return (
    <div className="card p-5 md:p-6">
      {actions && (
        <div data-select-all className="mb-3 flex items-center gap-3 text-sm md:hidden">
          <CheckboxCell {...all} id={id} />
          <label htmlFor={id}>Select all on this page</label>
        </div>
      )}
      {/* Explicit roles: browsers drop a table's semantics if it's displayed as blocks. */}
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
            {actions && (
              <th data-select-all role="columnheader" scope="col" className="w-8 pr-3 pb-2">
                <CheckboxCell {...all} label="Select all on this page" />
              </th>
            )}
            {columns.map((column) => (
              <SortHeader
                key={column.id}
                column={column}
                control={table.getColumn(column.id)}
                className={look.headerOf(column)}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={classNames('max-md:block', look.group)}>
          {rows.map((row) => (
            <DataRow key={row.id} {...props} columns={columns} look={look} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowOf<Row extends { id: string }> = ReturnType<TableOf<Row>['getRowModel']>['rows'][number];

function DataRow<Row extends { id: string }>(
  props: DataTableProps<Row> & { row: RowOf<Row>; look: TableLook },
) {
  const { columns, row, look, nameOf, actions } = props;
  return (
    <tr role="row" className={classNames(ROW, look.row, actions && 'max-md:pl-8')}>
      {/* One list: React makes a fragment of a list among other children. */}
      {[
        actions && (
          <td
            key="select"
            role="cell"
            className={classNames('pr-3 max-md:absolute max-md:left-0', look.check)}
          >
            {renderCheckbox({
              checked: row.getIsSelected(),
              onChange: row.getToggleSelectedHandler(),
              'aria-label': `Select ${nameOf(row.original)}`,
            })}
          </td>
        ),
        ...columns.map((column) => cellOf(column, row.original, look)),
      ]}
    </tr>
  );
}
