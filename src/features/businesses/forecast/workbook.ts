/** The forecast as a spreadsheet: the same rows, with formulas for the totals and balances. */
import {
  type Figures,
  type Forecast,
  figuresOf,
  hasWhatIf,
  MONTHS,
  monthText,
  rowsOf,
  type Side,
  withWhatIfs,
} from '#domain/forecast.ts';
import { saveFile } from '#lib/browser/save-file.ts';
import {
  cellName,
  type SheetCell,
  type SheetContent,
  SPREADSHEET_TYPE,
  spreadsheetFile,
} from '#lib/files/spreadsheet.ts';

const FORMAT = '$#,##0.00;-$#,##0.00';

const inDollars = (cents: number) => cents / 100;

/** A cell that's filled in, from cents. */
const input = (cents: number | null): SheetCell => ({
  ...(cents !== null && { value: inDollars(cents) }),
  look: 'input',
  format: FORMAT,
  only: 'numbers',
});

const computed = (formula: string, cents: number, look: 'figure' | 'total'): SheetCell => ({
  formula,
  result: inDollars(cents),
  look,
  format: FORMAT,
});

const MONTH_COLUMNS = Array.from({ length: MONTHS }, (_, month) => month + 1);
/** The row of the floor, from 0. */
const FLOOR = { row: 2, column: 1 };
/** The rows above the first group: title, note, floor, a gap and the months. */
const ABOVE = 5;

/** The lines of one side with its total, from a row on. */
function group(
  forecast: Forecast,
  side: Side,
  figures: Figures,
  from: number,
): SheetContent['rows'] {
  const rows = rowsOf(forecast, side);
  const sum = (column: number) => {
    const [first, last] = [from + 1, from + rows.length].map((row) => cellName({ row, column }));
    return rows.length === 0 ? '0' : `SUM(${first}:${last})`;
  };
  const title = side === 'in' ? 'Money in' : 'Money out';
  return [
    [{ value: title, look: 'heading' }],
    ...rows.map(({ name, amounts }) => [
      { value: name, look: 'label' as const },
      ...amounts.map(input),
    ]),
    [
      { value: side === 'in' ? 'Total in' : 'Total out', look: 'total' },
      ...MONTH_COLUMNS.map((column) =>
        computed(sum(column), figures[side][column - 1] ?? 0, 'total'),
      ),
    ],
  ];
}

/** The three lines of the result, below both totals. */
function result(forecast: Forecast, figures: Figures, totals: { in: number; out: number }) {
  const net = totals.out + 1;
  const name = (row: number, column: number) => cellName({ row, column });
  return [
    [
      { value: 'In minus out', look: 'label' as const },
      ...figures.net.map((cents, month) =>
        computed(`${name(totals.in, month + 1)}-${name(totals.out, month + 1)}`, cents, 'figure'),
      ),
    ],
    [
      { value: 'Balance at the start', look: 'label' as const },
      ...figures.opens.map((cents, month) =>
        month === 0 ? input(forecast.opening) : computed(name(net + 2, month), cents, 'figure'),
      ),
    ],
    [
      { value: 'Balance at the end', look: 'total' as const },
      ...figures.closes.map((cents, month) =>
        computed(`${name(net + 1, month + 1)}+${name(net, month + 1)}`, cents, 'total'),
      ),
    ],
  ];
}

interface Described {
  name: string;
  title: string;
  note: string;
}

function sheetOf(forecast: Forecast, { name, title, note }: Described): SheetContent {
  const figures = figuresOf(forecast);
  const money = group(forecast, 'in', figures, ABOVE);
  const spent = group(forecast, 'out', figures, ABOVE + money.length);
  const totals = { in: ABOVE + money.length - 1, out: ABOVE + money.length + spent.length - 1 };
  const last = totals.out + 3;
  const floor = `$${cellName(FLOOR).replace(/(?=\d)/, '$')}`;
  return {
    name,
    widths: [32, ...MONTH_COLUMNS.map(() => 13)],
    frozen: { rows: ABOVE, columns: 1 },
    landscape: true,
    rows: [
      [{ value: title, look: 'title', span: 8 }, ...Array(7).fill(null)],
      [{ value: note, look: 'note', span: 8 }, ...Array(7).fill(null)],
      [{ value: 'Your floor', look: 'label' }, input(forecast.floor)],
      [],
      [
        { value: 'Month', look: 'head' },
        ...figures.months.map((month) => ({
          value: new Date(`${month}-01T00:00Z`),
          look: 'head' as const,
          format: 'mmm yyyy',
          align: 'right' as const,
        })),
      ],
      ...money,
      ...spent,
      ...result(forecast, figures, totals),
    ],
    warnings: [
      {
        from: { row: last, column: 1 },
        to: { row: last, column: MONTHS },
        when: `AND(COUNT(${floor})=1,${cellName({ row: last, column: 1 })}<${floor})`,
      },
    ],
  };
}

/** The months that are over, as they were planned and as they were. */
function pastSheet({ past }: Forecast): SheetContent {
  const figure = (cents: number | null): SheetCell => ({
    ...(cents !== null && { value: inDollars(cents) }),
    look: 'figure',
    format: FORMAT,
  });
  return {
    name: 'Months that are over',
    widths: [18, 32, 13, 13],
    frozen: { rows: 1 },
    rows: [
      ['Month', 'Row', 'Planned', 'Real'].map((value) => ({ value, look: 'head' })),
      ...past.flatMap(({ month, rows, planned, actual }) =>
        [...rows, { name: 'Balance at the end', planned, actual }].map((row) => [
          { value: monthText(month), look: 'label' as const },
          { value: row.name, look: 'label' as const },
          figure(row.planned),
          figure(row.actual),
        ]),
      ),
    ],
  };
}

/**
 * The sheets of a forecast: as it's filled in, with the what-ifs that are on, and the months that
 * are over.
 * @param business its name
 */
export function forecastSheets(forecast: Forecast, business: string): SheetContent[] {
  const note = 'Change what’s on a light background; the rest is calculated.';
  const sheets = [
    sheetOf(forecast, { name: 'Forecast', title: `Cash forecast, ${business}`, note }),
  ];
  if (hasWhatIf(forecast)) {
    sheets.push(
      sheetOf(withWhatIfs(forecast), {
        name: 'With what-ifs',
        title: `Cash forecast with what-ifs, ${business}`,
        note: 'The amounts, changed by the what-ifs that were on.',
      }),
    );
  }
  if (forecast.past.length > 0) sheets.push(pastSheet(forecast));
  return sheets;
}

/** Downloads the sheets as an Excel file. */
export async function saveForecast(forecast: Forecast, business: string): Promise<void> {
  const bytes = await spreadsheetFile(forecastSheets(forecast, business), {
    title: 'Cash forecast',
    author: business,
    description: `Twelve months from ${monthText(forecast.start)}`,
  });
  saveFile(`cash-forecast-${forecast.start}.xlsx`, new Blob([bytes], { type: SPREADSHEET_TYPE }));
}
