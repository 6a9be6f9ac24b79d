/**
 * Writes Excel workbooks (.xlsx) with live formulas, in Node and in the browser. Screens load it with
 * `import()` when someone downloads. Text is never run as a formula: only `formula` is one.
 */
import writeWorkbook, {
  type CellObject,
  type Feature,
  type Sheet,
} from 'write-excel-file/universal';
import {
  findElement,
  getCellAddress,
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings,
  prependMarkupInsideElement,
  replaceElement,
  sanitizeTextContent,
} from 'write-excel-file/utility';
import { OFFICE_TYPES } from './office-types.ts';

export const SPREADSHEET_TYPE = OFFICE_TYPES.xlsx;

/** What a cell is for, which decides how it looks. */
export type CellLook =
  /** The name of the sheet's subject, at its top. */
  | 'title'
  /** The name of a table. */
  | 'heading'
  /** A column's name. */
  | 'head'
  /** A line's name. */
  | 'label'
  /** Filled in by people: on a light background. */
  | 'input'
  /** Computed. */
  | 'figure'
  /** Computed, and what the others lead to: bold, with a line above. */
  | 'total'
  /** An explanation, in gray. */
  | 'note';

export interface SheetCell {
  /** Numbers and texts. A date is its calendar day, in UTC. */
  value?: string | number | Date;
  /** Without the equals sign, in English with commas: `SUM(B2:B5)`. Wins over `value`. */
  formula?: string;
  /** What the formula gives now, for previews, which don't calculate. '' if it shows nothing. */
  result?: number | string;
  look?: CellLook;
  /** How a number or date is shown, as Excel writes it: `$#,##0`, `0%`, `mmmm d`. */
  format?: string;
  align?: 'left' | 'center' | 'right';
  /** Breaks long text into lines. */
  wrap?: boolean;
  /** How many columns it takes up. */
  span?: number;
  /** How many rows of text it's high, for wrapped text. */
  lines?: number;
  /** Only takes a number, or one of these words. */
  only?: 'numbers' | readonly string[];
}

export interface SheetContent {
  /** The tab's name: at most 31 characters, none of `[]:*?/\`. */
  name: string;
  /** The rows from the top; null is an empty cell. */
  rows: readonly (readonly (SheetCell | null)[])[];
  /** The columns' widths, in characters. */
  widths: readonly number[];
  /** How many rows and columns stay in place while scrolling. */
  frozen?: { rows?: number; columns?: number };
  landscape?: boolean;
  warnings?: readonly Warning[];
}

/** Marks the cells of an area where a formula is true: `C18<$C$22`, as for its first cell. */
interface Warning {
  from: CellPlace;
  to: CellPlace;
  when: string;
}

/** A cell by its row and column, from 0. */
export interface CellPlace {
  row: number;
  column: number;
}

/** A cell's name in formulas: row 4, column 1 is `B5`. */
export const cellName = ({ row, column }: CellPlace) => getCellAddress(row, column);

const INK = '#22352b';
const LOOKS: Record<CellLook, CellObject> = {
  title: { fontWeight: 'bold', fontSize: 16, textColor: '#1f5c3d', alignVertical: 'center' },
  heading: { fontWeight: 'bold', fontSize: 13, textColor: '#1f5c3d' },
  head: {
    fontWeight: 'bold',
    textColor: INK,
    backgroundColor: '#e4efe6',
    bottomBorderStyle: 'thin',
    bottomBorderColor: '#7f9a88',
    wrap: true,
    alignVertical: 'center',
  },
  label: { textColor: INK, wrap: true, alignVertical: 'center' },
  input: {
    textColor: INK,
    backgroundColor: '#fff7dc',
    borderStyle: 'thin',
    borderColor: '#d9c98f',
    alignVertical: 'center',
  },
  figure: { textColor: INK, alignVertical: 'center' },
  total: {
    textColor: INK,
    fontWeight: 'bold',
    topBorderStyle: 'thin',
    topBorderColor: '#7f9a88',
    alignVertical: 'center',
  },
  note: { textColor: '#55655b', wrap: true, alignVertical: 'top' },
};
const WARNING = { backgroundColor: '#fbe0d3', textColor: '#8a2f12', fontWeight: 'bold' } as const;
/** The height of a line of text in points. */
const LINE_HEIGHT = 15;

function written(cell: SheetCell | null): CellObject | null {
  if (!cell) return null;
  const { value, formula, look = 'figure', format, align, wrap, span, lines } = cell;
  const shown: CellObject = { ...LOOKS[look] };
  if (format !== undefined && typeof value !== 'string') shown.format = format;
  if (align !== undefined) shown.align = align;
  // Words would touch a figure to their left.
  if (align === 'left') shown.indent = 1;
  if (wrap !== undefined) shown.wrap = wrap;
  if (span !== undefined) shown.columnSpan = span;
  if (lines !== undefined) shown.height = lines * LINE_HEIGHT + 3;
  if (formula !== undefined) return { ...shown, type: 'Formula', value: formula };
  // An empty cell keeps the format of the number that people will type.
  return value === undefined ? { ...shown, type: Number } : { ...shown, value };
}

const SHEET = 'xl/worksheets/sheet{id}.xml';

/** Puts an element where the format wants it: Excel refuses files with elements in another order. */
function placed(xml: string, element: string): string {
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];
  return insertElementMarkupAccordingToOrderOfSiblings(xml, element, order, 'worksheet');
}

/** Adds the results of formulas, which the library leaves to the program that opens the file. */
function withResults(xml: string, { name, rows }: SheetContent): string {
  const results = new Map<string, number | string>();
  rows.forEach((cells, row) => {
    cells.forEach((cell, column) => {
      if (cell?.formula !== undefined && cell.result !== undefined)
        results.set(cellName({ row, column }), cell.result);
    });
  });
  let found = 0;
  const filled = xml.replace(
    /<c r="([A-Z]+\d+)"([^>]*)>(<f>[^<]*<\/f>)<\/c>/g,
    (cell, address: string, attributes: string, formula: string) => {
      const result = results.get(address);
      if (result === undefined) return cell;
      found++;
      return typeof result === 'number'
        ? `<c r="${address}"${attributes}>${formula}<v>${result}</v></c>`
        : `<c r="${address}"${attributes} t="str">${formula}<v>${sanitizeTextContent(result)}</v></c>`;
    },
  );
  if (found !== results.size) {
    throw new Error(`Sheet “${name}”: of ${results.size} results, ${found} could be written.`);
  }
  return filled;
}

/** Refuses what isn't a number, or one of the words, where a cell asks for that. */
function withChecks(xml: string, { rows }: SheetContent): string {
  const places = new Map<string, string[]>();
  rows.forEach((cells, row) => {
    cells.forEach((cell, column) => {
      if (!cell?.only) return;
      const key = typeof cell.only === 'string' ? '' : cell.only.join(',');
      places.set(key, [...(places.get(key) ?? []), cellName({ row, column })]);
    });
  });
  if (places.size === 0) return xml;
  const checks = [...places].map(([words, cells]) => {
    const where = `allowBlank="1" showErrorMessage="1" sqref="${cells.join(' ')}"`;
    return words === ''
      ? `<dataValidation type="decimal" operator="between" errorTitle="Not a number" error="Enter a number here, or leave it empty." ${where}><formula1>-1000000000000</formula1><formula2>1000000000000</formula2></dataValidation>`
      : `<dataValidation type="list" errorTitle="Not on the list" error="Choose one from the list, or leave it empty." ${where}><formula1>"${sanitizeTextContent(words)}"</formula1></dataValidation>`;
  });
  return placed(
    xml,
    `<dataValidations count="${checks.length}">${checks.join('')}</dataValidations>`,
  );
}

/** Prints on US Letter, as wide as the page, with the page's number. */
function withPrinting(xml: string, { landscape = false }: SheetContent): string {
  const worksheet = findElement(xml, 'worksheet');
  if (!worksheet) throw new Error('The sheet has no worksheet element.');
  const fitted = prependMarkupInsideElement(
    xml,
    worksheet,
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
  );
  return [
    '<pageMargins left="0.6" right="0.6" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>',
    `<pageSetup paperSize="1" orientation="${landscape ? 'landscape' : 'portrait'}" fitToWidth="1" fitToHeight="0"/>`,
    '<headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>',
  ].reduce(placed, fitted);
}

const PROPERTIES = 'docProps/core.xml';

/** What the library doesn't write by itself: results, checks, printing and the file's properties. */
function rest(sheets: readonly SheetContent[], about: FileAbout): Feature<Blob> {
  const { title, author, description = '' } = about;
  return {
    files: {
      transform: {
        [SHEET]: {
          transform: (xml, _, { sheetIndex }) => {
            const sheet = sheets[sheetIndex];
            if (!sheet) throw new Error(`There's no sheet ${sheetIndex}.`);
            return withPrinting(withChecks(withResults(xml, sheet), sheet), sheet);
          },
        },
        'xl/workbook.xml': {
          // Programs that keep the results would show those of an older calculation otherwise.
          transform: (xml) => {
            const calculation = findElement(xml, 'calcPr');
            return calculation
              ? replaceElement(xml, calculation, '<calcPr fullCalcOnLoad="1"/>')
              : xml;
          },
        },
        '[Content_Types].xml': {
          insert: () =>
            `<Override ContentType="application/vnd.openxmlformats-package.core-properties+xml" PartName="/${PROPERTIES}"/>`,
        },
        '_rels/.rels': {
          insert: () =>
            `<Relationship Id="rId-properties-1" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="${PROPERTIES}"/>`,
        },
      },
      write: {
        files: () => ({
          [PROPERTIES]:
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
            `<dc:title>${sanitizeTextContent(title)}</dc:title>` +
            `<dc:creator>${sanitizeTextContent(author)}</dc:creator>` +
            `<dc:description>${sanitizeTextContent(description)}</dc:description>` +
            '<dc:language>en-US</dc:language></cp:coreProperties>',
        }),
      },
    },
  };
}

/** A file's properties, which programs show as its title, author and comments. */
export interface FileAbout {
  title: string;
  author: string;
  description?: string;
}

const rule = ({ from, to, when }: Warning) => ({
  cellRange: {
    from: { row: from.row + 1, column: from.column + 1 },
    to: { row: to.row + 1, column: to.column + 1 },
  },
  condition: { formula: when },
  style: WARNING,
});

/**
 * The bytes of a workbook.
 * @throws an error if a sheet's name isn't allowed or a value isn't a text, a number or a date
 */
export async function spreadsheetFile(
  sheets: readonly SheetContent[],
  about: FileAbout,
): Promise<Uint8Array<ArrayBuffer>> {
  const pages = sheets.map(
    ({ name, rows, widths, frozen, warnings = [] }): Sheet<Blob> => ({
      sheet: name,
      data: rows.map((row) => row.map(written)),
      columns: widths.map((width) => ({ width })),
      showGridLines: false,
      stickyRowsCount: frozen?.rows ?? 0,
      stickyColumnsCount: frozen?.columns ?? 0,
      // The library fails on an empty list.
      ...(warnings.length > 0 && { conditionalFormatting: warnings.map(rule) }),
    }),
  );
  const file = await writeWorkbook(pages, {
    fontFamily: 'Calibri',
    fontSize: 11,
    features: [rest(sheets, about)],
  }).toBlob();
  return new Uint8Array(await file.arrayBuffer());
}
