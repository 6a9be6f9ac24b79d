import { expect, test } from 'vitest';
import { csvOf } from '#lib/files/csv.ts';

test.each<[string, Record<string, unknown>[], string]>([
  [
    'Its columns are those of all rows',
    [
      { a: 1, b: null },
      { b: 'x', c: true },
    ],
    'a,b,c|1,,|,x,true',
  ],
  ['Commas, quotes and line ends stay in their cell', [{ a: '1, "2"\n3' }], 'a|"1, ""2""\n3"'],
  ['Numbers stay numbers', [{ a: -12.5, b: '-3' }], 'a,b|-12.5,-3'],
  ['A column that is called like a formula isn’t one', [{ '=evil': 1 }], "'=evil|1"],
  ['Lists and objects are JSON', [{ a: ['x', 'y'] }], 'a|"[""x"",""y""]"'],
])('%s', (_, rows, lines) => {
  expect(csvOf(rows)).toBe(`\ufeff${lines.split('|').join('\r\n')}\r\n`);
});

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\r=1'])(
  'No cell runs as a formula: %j',
  (evil) => {
    expect(
      csvOf([{ a: evil }])
        .split('\r\n')
        .slice(1)
        .join(''),
    ).toMatch(/^"?'/);
  },
);
