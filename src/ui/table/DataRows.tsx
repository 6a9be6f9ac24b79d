import { type ChangeEvent, useId } from 'react';
import { classNames } from '../class-names.ts';
import { Still } from '../Still.tsx';
import { cellOf, columnsWithText, ROW } from './cells.tsx';
import type { DataColumn } from './columns.ts';
import { lookOf } from './second-line.ts';
import { checkAll, checkRow, type Selection } from './selection.ts';
import { CheckboxCell, renderCheckbox, SortHeader } from './table-parts.tsx';

interface DataRowsProps<Row extends { id: string }> {
  caption: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  /** The list's sort. */
  sort: string;
  onSort: (sort: string) => void;
  /** A row's name, for its checkbox. */
  nameOf: (row: Row) => string;
  /** With it, rows can be selected. */
  actions?: object;
  /** Whether cells are only text and links, so that rows work without React. */
  onlyLinks?: boolean | undefined;
  selection: Selection;
  onSelect: (next: Selection) => void;
}

/** What the checkboxes show and do: the one for all rows, and each row's. */
function checkboxesOf<Row extends { id: string }>(props: DataRowsProps<Row>) {
  const { rows, nameOf, selection, onSelect } = props;
  const order = rows.map(({ id }) => id);
  const count = order.filter((id) => selection.ids.has(id)).length;
  const all = {
    checked: count === rows.length,
    mixed: count > 0 && count < rows.length,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      onSelect(checkAll(selection, order, target.checked)),
  };
  const of = (row: Row) => ({
    checked: selection.ids.has(row.id),
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      // It's the click that changed it.
      const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
      onSelect(checkRow(selection, order, { id: row.id, isChecked: target.checked, isRange }));
    },
    'aria-label': `Select ${nameOf(row)}`,
  });
  return { all, of };
}

/** A page's rows: a table, displayed as cards on a phone. */
export function DataRows<Row extends { id: string }>(props: DataRowsProps<Row>) {
  const { caption, rows, sort, onSort, onlyLinks = false } = props;
  const shown = props.columns.filter(({ cell }) => cell);
  const columns = columnsWithText(shown, rows);
  const checkboxes = props.actions && checkboxesOf(props);
  const look = lookOf(columns, checkboxes !== undefined);
  const id = useId();
  const group = classNames('max-md:block', look.group);
  const rowsOf = () =>
    rows.map((row) => (
      <tr
        key={row.id}
        role="row"
        className={classNames(ROW, look.row, checkboxes && 'max-md:pl-8')}
      >
        {/* One list: React makes a fragment of a list among other children. */}
        {[
          checkboxes && (
            <td
              key="select"
              role="cell"
              className={classNames('pr-3 max-md:absolute max-md:left-0', look.check)}
            >
              {renderCheckbox(checkboxes.of(row))}
            </td>
          ),
          ...columns.map((column) => cellOf(column, row, look)),
        ]}
      </tr>
    ));
  return (
    <div className="card p-5 md:p-6">
      {checkboxes && (
        <div data-select-all className="mb-3 flex items-center gap-3 text-sm md:hidden">
          <CheckboxCell {...checkboxes.all} id={id} />
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
            {checkboxes && (
              <th data-select-all role="columnheader" scope="col" className="w-8 pr-3 pb-2">
                <CheckboxCell {...checkboxes.all} label="Select all on this page" />
              </th>
            )}
            {columns.map((column) => (
              <SortHeader
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort}
                className={look.headerOf(column)}
              />
            ))}
          </tr>
        </thead>
        {onlyLinks ? (
          <Still as="tbody" role="rowgroup" className={group} of={[rows, props.columns]}>
            {rowsOf}
          </Still>
        ) : (
          <tbody role="rowgroup" className={group}>
            {rowsOf()}
          </tbody>
        )}
      </table>
    </div>
  );
}
