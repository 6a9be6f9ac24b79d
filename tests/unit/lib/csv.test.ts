import { describe, expect, test } from 'vitest';
import { csvOf } from '#lib/files/csv.ts';

const lines = (rows: Record<string, unknown>[]) => csvOf(rows).replace('\ufeff', '').split('\r\n');

describe('A table as CSV', () => {
  test('Its columns are those of all rows; what is missing is empty', () => {
    expect(
      lines([
        { a: 1, b: null },
        { b: 'x', c: true },
      ]),
    ).toEqual(['a,b,c', '1,,', ',x,true', '']);
  });

  test('Commas, quotes and line ends stay inside their cell', () => {
    expect(
      lines([{ a: 'one, "two"\nthree' }])
        .slice(1)
        .join('\r\n'),
    ).toBe('"one, ""two""\nthree"\r\n');
  });

  test('No cell runs as a formula, and numbers stay numbers', () => {
    for (const evil of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\r=1']) {
      expect(
        lines([{ a: evil }])
          .slice(1)
          .join(''),
      ).toMatch(/^"?'/);
    }
    expect(lines([{ a: -12.5, b: '-3' }])[1]).toBe('-12.5,-3');
    // A column can be called what it likes, too.
    expect(lines([{ '=evil': 1 }])[0]).toBe("'=evil");
  });

  test('Lists and objects are JSON', () => {
    expect(lines([{ a: ['x', 'y'] }])[1]).toBe('"[""x"",""y""]"');
  });
});
