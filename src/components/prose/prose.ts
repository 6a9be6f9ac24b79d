/** What Markdown elements become in the words of this site; given to a rendered entry's Content. */
import Cell from './Cell.astro';
import HeadCell from './HeadCell.astro';
import Table from './Table.astro';

export const prose = { table: Table, th: HeadCell, td: Cell };
