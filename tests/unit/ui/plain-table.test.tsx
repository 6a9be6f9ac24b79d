import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DataColumn } from '#ui/table/columns.ts';
import { PlainTable } from '#ui/table/PlainTable.tsx';

interface Seat {
  id: string;
  state: string;
  owner: string | null;
}

const columns: DataColumn<Seat>[] = [
  { id: 'id', header: 'Seat', isRowHeader: true, cell: ({ id }) => id },
  {
    id: 'state',
    header: 'State',
    isUsual: ({ state }) => state === 'free',
    cell: ({ state }) => state,
  },
  { id: 'owner', header: 'Owner', none: 'Nobody', cell: ({ owner }) => owner },
];

const cellsOf = (...seats: Seat[]) =>
  [
    ...renderToStaticMarkup(<PlainTable caption="Seats" columns={columns} rows={seats} />).matchAll(
      /<t[hd] role="(columnheader|cell)"[^>]*class="([^"]*)"[^>]*>(.*?)<\/t[hd]>/g,
    ),
  ].map(([, role, look = '', html = '']) => ({
    role,
    isHidden: look.split(' ').includes('max-md:hidden'),
    text: html.replace(/<[^>]+>/g, ''),
  }));
const textsOf = (cells: ReturnType<typeof cellsOf>, role: string) =>
  cells.filter((cell) => cell.role === role).map(({ text }) => text);

test('A column that would be nothing but dashes isn’t there', () => {
  const free = { id: '1', state: 'free', owner: null };
  expect(textsOf(cellsOf(free), 'columnheader')).toEqual(['Seat', 'State']);
  const both = cellsOf(free, { id: '2', state: 'in use', owner: 'Rosa' });
  expect(textsOf(both, 'columnheader')).toEqual(['Seat', 'State', 'Owner']);
  expect(textsOf(both, 'cell')).toEqual(['free', '–Nobody', 'in use', 'Rosa']);
});

test('A card leaves out what nearly all rows have', () => {
  const cells = cellsOf(
    { id: '1', state: 'free', owner: 'Ana' },
    { id: '2', state: 'in use', owner: 'Rosa' },
  );
  expect(cells.filter(({ isHidden }) => isHidden).map(({ text }) => text)).toEqual(['free']);
});

test('On a tablet, the columns of wide screens are a labelled second line, without what is blank', () => {
  const wide = columns.map((column) =>
    column.isRowHeader ? column : { ...column, from: 'wide' as const },
  );
  const seats = [
    { id: '1', state: 'in use', owner: 'Rosa' },
    { id: '2', state: 'free', owner: null },
  ];
  const html = renderToStaticMarkup(<PlainTable caption="Seats" columns={wide} rows={seats} />);
  const shown = [...html.matchAll(/<td[^>]*data-label="([^"]*)"[^>]*class="([^"]*)"/g)].map(
    ([, label, look = '']) => ({ label, look: look.split(' ') }),
  );
  expect(shown.filter(({ look }) => !look.includes('md:max-xl:hidden'))).toHaveLength(3);
  for (const { label, look } of shown.slice(0, 3)) {
    expect(look, label).toContain('md:max-xl:before:content-[attr(data-label)]');
  }
  expect(shown.at(-1)?.look).toContain('md:max-xl:hidden');
});
