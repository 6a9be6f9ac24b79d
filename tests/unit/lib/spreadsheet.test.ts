import { XMLValidator } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { cellName, type SheetCell, spreadsheetFile } from '#lib/files/spreadsheet.ts';
import { recalculate } from '../../fixtures/recalculate.ts';

const money = (value?: number): SheetCell => ({
  ...(value === undefined ? {} : { value }),
  look: 'input',
  format: '$#,##0',
  only: 'numbers',
});
const rows = [
  [{ value: 'Sales & <costs>', look: 'title' as const, span: 3 }, null, null],
  [{ value: '=1+1', look: 'label' as const }, money(10), money()],
  [{ value: 'Day' }, { value: new Date(Date.UTC(2026, 5, 12)), format: 'mmmm d' }, null],
  [
    { value: 'Together', look: 'total' as const },
    { formula: 'SUM(B2:C2)', result: 10, format: '$#,##0' },
    { formula: 'IF(COUNT(C2)=0,"none",C2)', result: 'none' },
  ],
];
const file = () =>
  spreadsheetFile(
    [
      {
        name: 'Ours',
        rows,
        widths: [20, 10, 10],
        frozen: { rows: 1, columns: 1 },
        warnings: [{ from: { row: 3, column: 1 }, to: { row: 3, column: 1 }, when: 'B4<20' }],
      },
      { name: 'Other', rows: [[{ formula: 'Ours!B4*2', result: 20 }]], widths: [10] },
    ],
    { title: 'Sales & costs', author: 'A <b>' },
  );

test('Another program reads the texts, figures, formulas and properties', async () => {
  const { book, at, stored } = recalculate(await file());
  expect(book.SheetNames).toEqual(['Ours', 'Other']);
  expect(book.Props).toMatchObject({ Title: 'Sales & costs', Author: 'A <b>' });
  expect(at('Ours', 'A1')).toBe('Sales & <costs>');
  expect(book.Sheets.Ours?.B3?.w).toBe('June 12');
  expect([stored('Ours', 'B4'), stored('Ours', 'C4'), stored('Other', 'A1')]).toEqual([
    10,
    'none',
    20,
  ]);
  expect([at('Ours', 'B4'), at('Ours', 'C4'), at('Other', 'A1')]).toEqual([10, 'none', 20]);
});

test('What people type in is calculated', async () => {
  const { at } = recalculate(await file(), [{ sheet: 'Ours', cell: 'C2', value: 32 }]);
  expect([at('Ours', 'B4'), at('Ours', 'C4'), at('Other', 'A1')]).toEqual([42, 32, 84]);
});

test('A text that looks like a formula stays a text', async () => {
  const { book } = recalculate(await file());
  expect(book.Sheets.Ours?.A2).toMatchObject({ t: 's', v: '=1+1' });
});

test('Each part of the file is well-formed and in the order that Excel wants', async () => {
  const parts = unzipSync(await file());
  for (const [name, bytes] of Object.entries(parts)) {
    expect(XMLValidator.validate(strFromU8(bytes)), name).toBe(true);
  }
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  const order = [
    ...sheet.matchAll(
      /<(sheetPr|sheetViews|cols|sheetData|mergeCells|conditionalFormatting|dataValidations|pageMargins|pageSetup|headerFooter)[ >]/g,
    ),
  ];
  expect(order.map(([, tag]) => tag)).toEqual([
    'sheetPr',
    'sheetViews',
    'cols',
    'sheetData',
    'mergeCells',
    'conditionalFormatting',
    'dataValidations',
    'pageMargins',
    'pageSetup',
    'headerFooter',
  ]);
  expect(sheet).toContain('paperSize="1"');
  expect(sheet).toContain('fitToWidth="1"');
});

test('A cell is named as in formulas', () => {
  expect([cellName({ row: 4, column: 1 }), cellName({ row: 0, column: 27 })]).toEqual([
    'B5',
    'AB1',
  ]);
});
