import { describe, expect, test } from 'vitest';
import { figuresOf, MONTHS, removeRow, rollForward, withWhatIfs } from '#domain/forecast.ts';
import { forecastSheets } from '#features/businesses/forecast/workbook.ts';
import { cellName, type SheetContent, spreadsheetFile } from '#lib/files/spreadsheet.ts';
import { exampleForecast } from '../../fixtures/forecast.ts';
import { recalculate } from '../../fixtures/recalculate.ts';

/** The row of a sheet with this name, from 0. */
const rowOf = ({ rows }: SheetContent, name: string) =>
  rows.findIndex(([cell]) => cell?.value === name);

async function opened(
  forecast = exampleForecast(),
  changes: Parameters<typeof recalculate>[1] = [],
) {
  const sheets = forecastSheets(forecast, '=Alder Bakery');
  const bytes = await spreadsheetFile(sheets, {
    title: 'Cash forecast',
    author: 'Trellis',
    description: '',
  });
  const book = recalculate(bytes, changes);
  return {
    book,
    sheets,
    line: (index: number, name: string) => {
      const sheet = sheets[index];
      if (!sheet) throw new Error('There’s no such sheet.');
      const row = rowOf(sheet, name);
      return Array.from({ length: MONTHS }, (_, month) =>
        book.at(sheet.name, cellName({ row, column: month + 1 })),
      );
    },
  };
}

const inDollars = (cents: readonly number[]) => cents.map((each) => each / 100);

describe('A forecast as a spreadsheet', () => {
  test('calculates what the screen shows', async () => {
    const forecast = { ...exampleForecast(), floor: 545_000 };
    const { line } = await opened(forecast);
    const figures = figuresOf(forecast);
    expect(line(0, 'Total in')).toEqual(inDollars(figures.in));
    expect(line(0, 'Total out')).toEqual(inDollars(figures.out));
    expect(line(0, 'In minus out')).toEqual(inDollars(figures.net));
    expect(line(0, 'Balance at the start')).toEqual(inDollars(figures.opens));
    expect(line(0, 'Balance at the end')).toEqual(inDollars(figures.closes));
  });

  test('says in each cell what its formula gives, for previews', async () => {
    const { book } = await opened();
    const formulas = book.formulas('Forecast');
    // Two totals and three results; the first balance is filled in.
    expect(formulas).toHaveLength(5 * MONTHS - 1);
    for (const cell of formulas)
      expect(book.stored('Forecast', cell)).toBe(book.at('Forecast', cell));
  });

  test('goes on calculating when an amount is changed there', async () => {
    const { sheets } = await opened();
    const [sheet] = sheets;
    if (!sheet) throw new Error('There’s no sheet.');
    const cell = cellName({ row: rowOf(sheet, 'Rent and utilities'), column: 1 });
    const { line } = await opened(exampleForecast(), [{ sheet: 'Forecast', cell, value: 3000 }]);
    const before = inDollars(figuresOf(exampleForecast()).closes);
    expect(line(0, 'Balance at the end')).toEqual(before.map((each) => each - 600));
  });

  test('has the what-ifs that are on and the months that are over on sheets of their own', async () => {
    const forecast = rollForward(exampleForecast(), {
      amounts: { rent: 250_000 },
      balance: 500_000,
    });
    forecast.whatIf.late.on = true;
    forecast.whatIf.hire.on = true;
    const { line, sheets, book } = await opened(forecast);
    expect(sheets.map(({ name }) => name)).toEqual([
      'Forecast',
      'With what-ifs',
      'Months that are over',
    ]);
    expect(line(1, 'Balance at the end')).toEqual(
      inDollars(figuresOf(withWhatIfs(forecast)).closes),
    );
    expect(book.at('Months that are over', 'A2')).toBe('April 2027');
  });

  test('without any rows still adds up', async () => {
    let forecast = exampleForecast();
    for (const { id } of forecast.rows) forecast = removeRow(forecast, id);
    const { line } = await opened(forecast);
    expect(line(0, 'Balance at the end')).toEqual(Array(MONTHS).fill(9100));
  });

  test('never runs a name as a formula', async () => {
    const forecast = exampleForecast();
    const [first] = forecast.rows;
    if (first) first.name = '=1+1';
    const { book, sheets } = await opened(forecast);
    const [sheet] = sheets;
    const row = sheet ? rowOf(sheet, '=1+1') : -1;
    expect(book.at('Forecast', cellName({ row, column: 0 }))).toBe('=1+1');
    expect(book.at('Forecast', 'A1')).toBe('Cash forecast, =Alder Bakery');
  });
});
