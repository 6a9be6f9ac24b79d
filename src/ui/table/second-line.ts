/**
 * Tables on tablets: columns for wide screens only become a second line of each row, labelled as on a
 * card. The table is then a grid whose rows share its columns. Browsers drop the semantics of a table
 * displayed so, which its explicit roles keep.
 */
import { classNames } from '../class-names.ts';
import type { DataColumn } from './columns.ts';

/** The look of what only wide tables show. */
const WIDE = 'md:max-xl:hidden';

/** The look of a value in the second line, and of its label. */
const BELOW =
  'md:max-xl:order-1 md:max-xl:-mt-1.5 md:max-xl:border-0! md:max-xl:pt-0! md:max-xl:pl-0! md:max-xl:text-left! md:max-xl:text-xs md:max-xl:whitespace-normal md:max-xl:text-muted';
const LABEL = 'md:max-xl:before:content-[attr(data-label)]';

/** A row shares the columns of its table. */
const ROW = 'md:max-xl:col-span-full md:max-xl:grid md:max-xl:grid-cols-subgrid';

/** By number of columns, as the stylesheet needs whole names. */
const COLUMNS = [
  '',
  'md:max-xl:grid-cols-[repeat(1,auto)]',
  'md:max-xl:grid-cols-[repeat(2,auto)]',
  'md:max-xl:grid-cols-[repeat(3,auto)]',
  'md:max-xl:grid-cols-[repeat(4,auto)]',
  'md:max-xl:grid-cols-[repeat(5,auto)]',
  'md:max-xl:grid-cols-[repeat(6,auto)]',
  'md:max-xl:grid-cols-[repeat(7,auto)]',
  'md:max-xl:grid-cols-[repeat(8,auto)]',
];
const SPANS = [
  'md:max-xl:col-span-full',
  'md:max-xl:col-span-1',
  'md:max-xl:col-span-2',
  'md:max-xl:col-span-3',
  'md:max-xl:col-span-4',
  'md:max-xl:col-span-5',
  'md:max-xl:col-span-6',
  'md:max-xl:col-span-7',
  'md:max-xl:col-span-8',
];

/** Class names of a table's parts. */
export interface TableLook {
  table?: string;
  /** Of the row group that the rows with values are in, and the one that the headers are in. */
  group?: string;
  row?: string;
  /** Of the row of headers, some of which are buttons. */
  head?: string;
  /** Of a cell, or header, before the first column: a checkbox. */
  check?: string;
  /** Of a column's header. */
  headerOf: (column: Shown) => string | undefined;
  /** Of a column's cells that have a value, and that have none. */
  cellOf: (column: Shown, isBlank: boolean) => string | undefined;
}

type Shown = Pick<DataColumn<never>, 'id' | 'from' | 'onCard'>;

const isBelow = ({ from, onCard }: Shown) => from === 'wide' && onCard !== 'hidden';

/** How many columns a value in the second line spans; the first column is the widest, so others go first. */
function spanOf(place: number, below: number, across: number): number {
  const rest = across % below;
  return Math.floor(across / below) + (place >= below - rest ? 1 : 0);
}

/** The look of a table with these columns; `hasCheck` says whether a checkbox is before the first. */
export function lookOf(columns: readonly Shown[], hasCheck = false): TableLook {
  const headerOf = ({ from }: Shown) => (from === 'wide' ? WIDE : undefined);
  const below = columns.filter(isBelow).map(({ id }) => id);
  if (below.length === 0) return { headerOf, cellOf: headerOf };
  const across = columns.filter(({ from }) => from !== 'wide').length;
  return {
    headerOf,
    table: `md:max-xl:grid ${COLUMNS[across + (hasCheck ? 1 : 0)]}`,
    group: 'md:max-xl:contents',
    row: ROW,
    head: `${ROW} md:max-xl:items-baseline`,
    check: 'md:max-xl:row-span-2',
    cellOf(column, isBlank) {
      if (!isBelow(column) || isBlank) return headerOf(column);
      const span = SPANS[spanOf(below.indexOf(column.id), below.length, across)];
      return classNames(BELOW, span, column.onCard !== 'bare' && LABEL);
    },
  };
}
