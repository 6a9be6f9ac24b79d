/** The cells of a row, which is part of a table or, on a phone, a card. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import type { DataColumn } from './columns.ts';
import type { TableLook } from './second-line.ts';
import { RIGHT } from './table-parts.tsx';

/** The look of a row. */
export const ROW =
  'align-top max-md:relative max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-3 max-md:gap-y-1.5 max-md:border-line max-md:py-3 max-md:not-first:border-t max-md:first:pt-0 max-md:last:pb-0 max-md:*:border-0! max-md:*:p-0!';

const isBlank = (shown: ReactNode) =>
  shown === null || shown === undefined || shown === '' || shown === false;

/** Without columns that would be nothing but dashes; what a list can be sorted by stays. */
export const columnsWithText = <Row,>(
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[],
): DataColumn<Row>[] =>
  columns.filter(
    ({ isRowHeader, sort, cell }) =>
      isRowHeader || sort || rows.some((row) => !isBlank(cell?.(row))),
  );

/**
 * A cell. It's no component, and its label on a card is content of the stylesheet, because lists have
 * hundreds of cells, and each component, element and text takes its time to hydrate. `table` is the look
 * of the table it's in.
 */
export function cellOf<Row>(column: DataColumn<Row>, row: Row, table: TableLook) {
  const { id, isRowHeader, align, header, breaks } = column;
  const { none = 'None', onCard = 'labelled' } = column;
  const children = column.cell?.(row);
  const blank = isBlank(children);
  const isLeftOut = onCard === 'hidden' || blank || column.isUsual?.(row);
  const look = classNames(
    'pr-4 last:pr-0',
    align === 'right' && `${RIGHT} md:whitespace-nowrap`,
    table.cellOf(column, blank),
    breaks === 'anywhere' && 'wrap-anywhere',
    breaks === 'never' && 'md:whitespace-nowrap',
    breaks === 'rarely' && 'xl:min-w-32',
    isLeftOut && 'max-md:hidden',
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
