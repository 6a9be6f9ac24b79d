import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import type { DataColumn } from './columns.ts';
import type { DataTableProps, TableOf } from './DataTable.tsx';
import { CheckboxCell, renderCheckbox, SortHeader } from './table-parts.tsx';

const wide = 'md:max-xl:hidden';

/** A page's rows: a table, displayed as cards on a phone. */
export function DataRows<Row extends { id: string }>(
  props: DataTableProps<Row> & { table: TableOf<Row> },
) {
  const { caption, columns, table, actions } = props;
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
      <table role="table" className="rows w-full border-collapse text-left text-sm max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="hidden text-xs text-muted md:table-header-group">
          <tr role="row">
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
                className={classNames(column.from === 'wide' && wide)}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {table.getRowModel().rows.map((row) => (
            <DataRow key={row.id} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowOf<Row extends { id: string }> = ReturnType<TableOf<Row>['getRowModel']>['rows'][number];

function DataRow<Row extends { id: string }>(props: DataTableProps<Row> & { row: RowOf<Row> }) {
  const { columns, row, nameOf, actions } = props;
  return (
    <tr
      role="row"
      className={classNames(
        'align-top max-md:relative max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-3 max-md:gap-y-1.5 max-md:border-line max-md:py-3 max-md:not-first:border-t max-md:first:pt-0 max-md:last:pb-0 max-md:*:border-0! max-md:*:p-0!',
        actions && 'max-md:pl-8',
      )}
    >
      {/* One list: React makes a fragment of a list among other children. */}
      {[
        actions && (
          <td key="select" role="cell" className="pr-3 max-md:absolute max-md:left-0">
            {renderCheckbox({
              checked: row.getIsSelected(),
              onChange: row.getToggleSelectedHandler(),
              'aria-label': `Select ${nameOf(row.original)}`,
            })}
          </td>
        ),
        ...columns.map((column) => cellOf(column, column.cell?.(row.original))),
      ]}
    </tr>
  );
}

/**
 * A cell. It's no component, and its label on a card is content of the stylesheet, because lists have
 * hundreds of cells, and each component, element and text takes its time to hydrate.
 */
function cellOf<Row>(column: DataColumn<Row>, children: ReactNode) {
  const { id, isRowHeader, align, from, header, breaks } = column;
  const { none = 'None', onCard = 'labelled' } = column;
  const blank =
    children === null || children === undefined || children === '' || children === false;
  const look = classNames(
    'pr-4 last:pr-0',
    align === 'right' && 'md:text-right',
    from === 'wide' && wide,
    breaks === 'anywhere' && 'wrap-anywhere',
    breaks === 'never' && 'whitespace-nowrap',
    (onCard === 'hidden' || blank) && 'max-md:hidden',
  );
  if (isRowHeader) {
    return (
      <th
        key={id}
        role="rowheader"
        scope="row"
        className={classNames(look, 'font-normal wrap-anywhere max-md:basis-full md:min-w-48')}
      >
        {children}
      </th>
    );
  }
  return (
    <td
      key={id}
      role="cell"
      data-label={onCard === 'labelled' ? `${header}: ` : undefined}
      className={classNames(
        look,
        onCard === 'labelled' && 'max-md:before:content-[attr(data-label)]',
        blank ? 'text-muted' : 'max-md:text-xs max-md:text-muted',
      )}
    >
      {blank ? (
        <>
          <span aria-hidden="true">–</span>
          <span className="sr-only">{none}</span>
        </>
      ) : (
        children
      )}
    </td>
  );
}
