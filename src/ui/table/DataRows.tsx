import { type ChangeEvent, type MouseEvent, useEffect, useId, useRef } from 'react';
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
  /** Whether cells are only text, links and buttons with `data-press`, so that rows work without React. */
  onlyLinks?: boolean | undefined;
  onPress?: ((row: Row, name: string) => void) | undefined;
  selection: Selection;
  onSelect: (change: (now: Selection) => Selection) => void;
}

/** What the checkbox for all rows shows and does. */
function checkboxOf<Row extends { id: string }>({ rows, selection, onSelect }: DataRowsProps<Row>) {
  const order = rows.map(({ id }) => id);
  const count = order.filter((id) => selection.ids.has(id)).length;
  return {
    checked: count === rows.length,
    mixed: count > 0 && count < rows.length,
    onChange: ({ target: { checked } }: ChangeEvent<HTMLInputElement>) =>
      onSelect((now) => checkAll(now, order, checked)),
  };
}

/**
 * What the row group needs so that its rows, which React may not know, can be checked and their buttons
 * pressed: one handler for all of them.
 */
function usePresses<Row extends { id: string }>(props: DataRowsProps<Row>) {
  const { rows, actions, onPress, selection, onSelect } = props;
  const ref = useRef<HTMLTableSectionElement>(null);
  const isNew = useRef(true);
  const canCheck = actions !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have boxes of their own
  useEffect(() => {
    if (!canCheck) return;
    const boxes = [...(ref.current?.querySelectorAll<HTMLInputElement>(BOX) ?? [])];
    const idsOf = (some: HTMLInputElement[]) =>
      some.flatMap((box) => rows[boxes.indexOf(box)]?.id ?? []);
    if (isNew.current) {
      isNew.current = false;
      // Some were checked before the page's scripts were there.
      const checked = idsOf(boxes.filter((box) => box.checked));
      if (checked.length > 0) onSelect((now) => checkAll(now, checked, true));
      return;
    }
    for (const [index, box] of boxes.entries()) {
      box.checked = selection.ids.has(rows[index]?.id ?? '');
    }
  }, [rows, selection]);
  // Rows that are left as they are have their buttons as the server rendered them: disabled.
  useEffect(() => {
    for (const button of ref.current?.querySelectorAll<HTMLButtonElement>('[data-press]') ?? []) {
      button.disabled = false;
    }
  }, []);
  if (!canCheck && !onPress) return {};

  const onClick = ({ target, nativeEvent }: MouseEvent<HTMLTableSectionElement>) => {
    if (!(target instanceof Element)) return;
    const row = rows[target.closest('tr')?.sectionRowIndex ?? -1];
    const name = target.closest<HTMLElement>('[data-press]')?.dataset.press;
    if (row && name) onPress?.(row, name);
    if (!row || !(target instanceof HTMLInputElement) || !target.matches(BOX)) return;
    const order = rows.map(({ id }) => id);
    const change = { id: row.id, isChecked: target.checked, isRange: nativeEvent.shiftKey };
    onSelect((now) => checkRow(now, order, change));
  };
  return { ref, onClick };
}

/** A row's checkbox. */
const BOX = '[data-check]';

/** A page's rows: a table, displayed as cards on a phone. */
export function DataRows<Row extends { id: string }>(props: DataRowsProps<Row>) {
  const { caption, rows, sort, onSort, onlyLinks = false } = props;
  const shown = props.columns.filter(({ cell }) => cell);
  const columns = columnsWithText(shown, rows);
  const all = props.actions && checkboxOf(props);
  const presses = usePresses(props);
  const look = lookOf(columns, all !== undefined);
  const id = useId();
  const group = classNames('max-md:block', look.group);
  const rowsOf = () =>
    rows.map((row) => (
      <tr key={row.id} role="row" className={classNames(ROW, look.row, all && 'max-md:pl-8')}>
        {/* One list: React makes a fragment of a list among other children. */}
        {[
          all && (
            <td
              key="select"
              role="cell"
              className={classNames('pr-3 max-md:absolute max-md:left-0', look.check)}
            >
              {renderCheckbox({ 'aria-label': `Select ${props.nameOf(row)}`, 'data-check': '' })}
            </td>
          ),
          ...columns.map((column) => cellOf(column, row, look)),
        ]}
      </tr>
    ));
  return (
    <div className="card p-5 md:p-6">
      {all && (
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
            {all && (
              <th data-select-all role="columnheader" scope="col" className="w-8 pr-3 pb-2">
                <CheckboxCell {...all} label="Select all on this page" />
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
          <Still
            as="tbody"
            role="rowgroup"
            className={group}
            of={[rows, props.columns]}
            {...(presses as object)}
          >
            {rowsOf}
          </Still>
        ) : (
          <tbody role="rowgroup" className={group} {...presses}>
            {rowsOf()}
          </tbody>
        )}
      </table>
    </div>
  );
}
