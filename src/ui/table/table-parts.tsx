/** Table parts: a sortable header, and a checkbox without a visible label. */
import { type ChangeEvent, type ComponentProps, useEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { CHECKBOX, CHECKBOX_MARK } from '../forms/Checkbox.tsx';
import { CHECK, LineIcon } from '../LineIcon.tsx';
import type { DataColumn } from './columns.ts';

interface SortHeaderProps<Row> {
  column: DataColumn<Row>;
  /** The list's sort; none if the list can't be sorted. */
  sort?: string;
  onSort?: (sort: string) => void;
  className: string | undefined;
}

/** Figures end at the right, with more room before a text in the next column, so that it doesn't read on. */
export const RIGHT = 'figures md:text-right md:[&+:not(.figures)]:pl-4';

/** A column header; a button if the column can be sorted. */
export function SortHeader<Row>({ column, sort, onSort, className }: SortHeaderProps<Row>) {
  const { ascending, descending } = column.sort ?? {};
  const isAscending = sort !== undefined && sort === ascending;
  const isDescending = sort !== undefined && sort === descending;
  const next = isAscending ? descending : (ascending ?? descending);
  return (
    <th
      role="columnheader"
      scope="col"
      className={classNames(
        'pr-4 pb-2 font-medium last:pr-0',
        column.align === 'right' && RIGHT,
        className,
      )}
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : undefined}
    >
      {column.sort ? (
        <button
          type="button"
          className="-mx-1 inline-flex min-h-9 items-center gap-1 rounded-small px-1 hover:text-ink"
          onClick={() => next !== undefined && next !== sort && onSort?.(next)}
        >
          {column.header}
          {(isAscending || isDescending) && (
            <span aria-hidden="true">{isAscending ? '↑' : '↓'}</span>
          )}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

/** The mark of a checkbox for rows of which some are checked. */
const DASH = 'M4 8h8';

/** Renders a checkbox named only for screen readers, or by a label elsewhere. No component: a list has many. */
export const renderCheckbox = (
  props: ComponentProps<'input'> & { 'data-check'?: string },
  mixed = false,
) => (
  <span className="relative inline-grid size-5 place-items-center align-middle">
    <input {...props} type="checkbox" className={CHECKBOX} />
    {LineIcon({ d: mixed ? DASH : CHECK, box: 16, width: 2.2, className: CHECKBOX_MARK })}
  </span>
);

interface CheckboxCellProps {
  checked: boolean;
  /** Indeterminate: some of the rows it controls are checked. */
  mixed: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  label?: string;
  id?: string;
}

/** A checkbox for all rows. */
export function CheckboxCell({ checked, mixed, onChange, label, id }: CheckboxCellProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return renderCheckbox({ ref: box, id, 'aria-label': label, checked, onChange }, mixed);
}
