/** Lays out a tool's sheets cell by cell, works out their formulas and writes the file. */
import {
  type CellPlace,
  cellName,
  type FileAbout,
  type SheetCell,
  type SheetContent,
  spreadsheetFile,
} from '#lib/files/spreadsheet.ts';
import {
  type Area,
  cellFormula,
  FirstCell,
  type Formula,
  isRatio,
  type Scope,
  sum,
  type Value,
  wholeColumn,
} from './formulas.ts';
import {
  type Grid,
  type GridCell,
  type GridColumn,
  type GridRow,
  gridsOf,
  type Part,
  type SheetKind,
} from './tool-sheets.ts';

/** Words on each sheet about the tool. */
export interface ToolWords {
  title: string;
  /** Its public page. */
  address: string;
  version: number;
  /** Its text in Markdown. */
  body: string;
}

export const SHEET_NAMES: Record<SheetKind, string> = { yours: 'Your figures', example: 'Example' };

/** A cell on a sheet: what is filled in, or its formula and what that gives. */
interface Placed {
  grid: Grid;
  row: GridRow;
  column: GridColumn;
  cell: GridCell;
  formula?: { text: string; value(): Value; canBeEmpty: boolean };
}

/** Where a grid is: the place of its first figure. */
interface PlacedGrid {
  grid: Grid;
  from: CellPlace;
}

const keyOf = ({ row, column }: CellPlace) => `${row},${column}`;

function formulaOf(
  grid: Grid,
  row: GridRow,
  column: GridColumn,
  cell: GridCell,
): Formula | undefined {
  if (column.hasWords || cell.isBlank) return undefined;
  const isTotal = grid.isList && row.isTotal;
  if (isTotal && !(column.formula !== undefined && isRatio(column.formula))) {
    return sum(wholeColumn());
  }
  return column.formula ?? row.formula;
}

/** Finds cells by their names, from a cell of a grid. */
function scopeOf(
  placed: readonly PlacedGrid[],
  here: PlacedGrid,
  row: number,
  column: number,
  read: (place: CellPlace) => Value,
): Scope {
  const { grid, from } = here;
  const place = (rowAt: number, columnAt: number, { from: start } = here): CellPlace => ({
    row: start.row + rowAt,
    column: start.column + columnAt,
  });
  const rowNamed = (name: string, of = grid) => of.rows.findIndex((each) => each.name === name);
  const columnNamed = (name: string) => grid.columns.findIndex((each) => each.name === name);

  const elsewhere = (name: string): CellPlace | undefined => {
    for (const other of placed) {
      const found = rowNamed(name, other.grid);
      const single = other.grid.columns.length === 1;
      if (found >= 0) return place(found, single ? 0 : column, other);
      const total = other.grid.rows.findIndex(({ isTotal }) => isTotal);
      const columnAt = other.grid.columns.findIndex((each) => each.name === name);
      if (other.grid.isList && total >= 0 && columnAt >= 0) return place(total, columnAt, other);
    }
    return undefined;
  };
  const cell = (name: string): CellPlace => {
    const rowAt = rowNamed(name);
    const columnAt = columnNamed(name);
    if (grid.isList && columnAt >= 0) return place(row, columnAt);
    if (rowAt >= 0) return place(rowAt, column);
    if (columnAt >= 0) return place(row, columnAt);
    const other = elsewhere(name);
    if (!other) throw new Error(`Nothing is called “${name}”.`);
    return other;
  };
  /** The lines of a list without its total. */
  const records = (): [number, number] => {
    const end = grid.rows.findIndex(({ isTotal }) => isTotal);
    return [0, (end < 0 ? grid.rows.length : end) - 1];
  };
  return {
    cell,
    line(name) {
      for (const other of [here, ...placed]) {
        const found = rowNamed(name, other.grid);
        if (found < 0) continue;
        const last = other.grid.columns.length - 1;
        return { from: place(found, 0, other), to: place(found, last, other) };
      }
      throw new Error(`No line is called “${name}”.`);
    },
    before(name) {
      if (column === 0) return undefined;
      return { ...cell(name), column: from.column + column - 1 };
    },
    upper: () => (row === 0 ? undefined : place(row - 1, column)),
    above() {
      const computed = grid.rows.findLastIndex((each, index) => index < row && each.isTotal);
      return { from: place(computed + 1, column), to: place(row - 1, column) };
    },
    between: (first, last): Area => ({
      from: place(rowNamed(first), column),
      to: place(rowNamed(last), column),
    }),
    column(name) {
      const [first, last] = records();
      const columnAt = name === undefined ? column : columnNamed(name);
      if (columnAt < 0) throw new Error(`No column is called “${name}”.`);
      return { from: place(first, columnAt), to: place(last, columnAt) };
    },
    read,
  };
}

/** What a formula gave and what the text prints, if they differ. */
function misprint({ printed }: GridCell, value: Value): string | undefined {
  if (printed === undefined || printed === '') return undefined;
  if (typeof printed === 'string')
    return printed === value ? undefined : `“${value}”, not “${printed}”`;
  if (typeof value === 'number' && Math.abs(value - printed.value) <= printed.within + 1e-9)
    return undefined;
  return `${value}, not ${printed.value}`;
}

const hasHead = (grid: Grid) => grid.columns.some(({ shown }) => shown !== '');

/** Places the grids below each other and works out their formulas. */
function placeGrids(grids: readonly Grid[], firstRow: number) {
  let next = firstRow;
  const placed = grids.map((grid): PlacedGrid => {
    // An empty row, the heading, the note, and the names of the columns.
    const row = next + 2 + (grid.note === undefined ? 0 : 1) + (hasHead(grid) ? 1 : 0);
    next = row + grid.rows.length;
    return { grid, from: { row, column: 1 } };
  });
  const cells = new Map<string, Placed>();
  for (const { grid, from } of placed) {
    grid.rows.forEach((row, rowAt) => {
      grid.columns.forEach((column, columnAt) => {
        const place = { row: from.row + rowAt, column: from.column + columnAt };
        cells.set(keyOf(place), { grid, row, column, cell: grid.cell(row, column) });
      });
    });
  }
  const read = (place: CellPlace): Value => {
    const found = cells.get(keyOf(place));
    if (!found) return null;
    return found.formula ? found.formula.value() : (found.cell.value ?? null);
  };
  for (const here of placed) {
    const { grid, from } = here;
    grid.rows.forEach((row, rowAt) => {
      grid.columns.forEach((column, columnAt) => {
        const found = cells.get(keyOf({ row: from.row + rowAt, column: from.column + columnAt }));
        const formula = found && formulaOf(grid, row, column, found.cell);
        if (!found || formula === undefined) return;
        const scope = scopeOf(placed, here, rowAt, columnAt, read);
        const isOwn = (place: CellPlace) => row.isRecord && place.row === from.row + rowAt;
        const isEmptyOften = (place: CellPlace) =>
          cells.get(keyOf(place))?.formula?.canBeEmpty ?? false;
        try {
          found.formula = cellFormula(formula, scope, isOwn, isEmptyOften);
        } catch (error) {
          if (error instanceof FirstCell) return;
          const about = [grid.heading, row.name.trim(), column.name].filter(Boolean).join(', ');
          throw new Error(`${about}: ${error instanceof Error ? error.message : error}`);
        }
      });
    });
  }
  return { placed, cells };
}

const WIDTHS = { label: [22, 44], words: [16, 30], figure: [12, 16] } as const;
const within = ([least, most]: readonly [number, number], wanted: number) =>
  Math.min(most, Math.max(least, wanted));

function widthsOf(grids: readonly Grid[]): number[] {
  const columns = Math.max(...grids.map((grid) => grid.columns.length));
  const label = Math.max(
    ...grids
      .flatMap(({ rows, corner }) => [corner, ...rows.map(({ shown }) => shown)])
      .map((words) => words.length + 3),
  );
  return [
    within(WIDTHS.label, label),
    ...Array.from({ length: columns }, (_, index) =>
      Math.max(
        ...grids.flatMap(({ columns: all, rows, cell }) => {
          const column = all[index];
          if (!column) return [];
          const longest = Math.max(
            ...rows.map((row) => String(cell(row, column).value ?? '').length),
          );
          return column.hasWords
            ? [within(WIDTHS.words, longest + 2)]
            : [within(WIDTHS.figure, Math.ceil(column.shown.length / 2) + 3)];
        }),
      ),
    ),
  ];
}

function figureCell({ row, column, cell, formula }: Placed): SheetCell | null {
  const { format, value, isBlank = false } = cell;
  const shown = format === undefined ? {} : { format };
  if (formula) {
    const result = formula.value();
    return {
      ...shown,
      formula: formula.text,
      result: result ?? 0,
      look: row.isBold ? 'total' : 'figure',
      align: 'right',
    };
  }
  if (isBlank || (row.isTotal && row.isRecord === false && column.hasWords)) {
    return row.isBold ? { value: '', look: 'total' } : null;
  }
  const input: SheetCell = { look: 'input', ...(value !== undefined && { value }) };
  return column.hasWords || typeof value === 'string'
    ? { ...input, wrap: true, align: 'left' }
    : { ...input, ...shown, only: 'numbers' };
}

/** How many lines a text takes in so many characters. */
const linesIn = (words: string, width: number) =>
  Math.max(1, Math.ceil((words.length * 1.05) / width));

/** A row that's high enough for the words in it: not every program measures them. */
function tall(cells: readonly (SheetCell | null)[], widths: readonly number[], least = 1) {
  const lines = cells.map((cell, index) => {
    const words = cell?.formula === undefined && typeof cell?.value === 'string' ? cell.value : '';
    return linesIn(words, (widths[index] ?? 10) - 2);
  });
  const [first = null, ...others] = cells;
  return [first && { ...first, lines: Math.max(least, ...lines) }, ...others];
}

type Row = readonly (SheetCell | null)[];

/** A grid's rows, its columns' names first. @throws an error if a formula doesn't give what the text prints */
function gridRows({ grid, from }: PlacedGrid, cells: Map<string, Placed>, widths: number[]): Row[] {
  const head = grid.columns.map(({ shown, hasWords }): SheetCell => {
    return { value: shown, look: 'head', align: hasWords ? 'left' : 'right' };
  });
  const lines = grid.rows.map((row, rowAt) => {
    const look = row.isRecord ? 'input' : row.isBold ? 'total' : 'label';
    const label: SheetCell = { look, wrap: true, ...(row.shown && { value: row.shown }) };
    const figures = grid.columns.map(({ name }, columnAt) => {
      const place = { row: from.row + rowAt, column: from.column + columnAt };
      const found = cells.get(keyOf(place));
      if (!found) throw new Error(`${cellName(place)} isn’t laid out.`);
      const wrong = found.formula && misprint(found.cell, found.formula.value());
      if (wrong) {
        const about = [grid.heading, row.name, name].filter(Boolean).join(', ');
        throw new Error(`${about}: its formula gives ${wrong}.`);
      }
      return figureCell(found);
    });
    return tall([label, ...figures], widths, row.isRecord ? 1.25 : 1);
  });
  return hasHead(grid)
    ? [tall([{ value: grid.corner, look: 'head' }, ...head], widths), ...lines]
    : lines;
}

/** `$C$22` for C22: the same cell for every cell of an area. */
const fixed = (place: CellPlace) => cellName(place).replace(/([A-Z]+)(\d+)/, '$$$1$$$2');

/** Marks the figures of a grid's line that are below a cell of another grid. */
function warningsOf({ grid, from }: PlacedGrid, placed: readonly PlacedGrid[]) {
  const { warn } = grid;
  if (!warn) return [];
  const place = (other: PlacedGrid, name: string) => {
    const at = other.grid.rows.findIndex((row) => row.name === name);
    return at < 0 ? undefined : { row: other.from.row + at, column: other.from.column };
  };
  const first = place({ grid, from }, warn.line);
  const limit = placed.map((each) => place(each, warn.below)).find((found) => found !== undefined);
  if (!first || !limit) throw new Error(`No line is called “${first ? warn.below : warn.line}”.`);
  const to = { row: first.row, column: first.column + grid.columns.length - 1 };
  const when = `AND(COUNT(${fixed(limit)})=1,${cellName(first)}<${fixed(limit)})`;
  return [{ from: first, to, when }];
}

function sheetOf(
  how: string,
  parts: readonly Part[],
  tool: ToolWords,
  kind: SheetKind,
): SheetContent {
  const grids = gridsOf(parts, tool.body, kind);
  const widths = widthsOf(grids);
  const all = widths.reduce((total, width) => total + width, 0);
  const wide = (value: string, look: 'title' | 'heading' | 'note'): Row => [
    { value, look, span: widths.length, lines: look === 'title' ? 1.6 : linesIn(value, all) },
    ...widths.slice(1).map(() => null),
  ];
  const top = [
    wide(tool.title, 'title'),
    wide(how, 'note'),
    wide(`From ${tool.address}, version ${tool.version}.`, 'note'),
  ];
  const { placed, cells } = placeGrids(grids, top.length);
  const rows = placed.flatMap((each): Row[] => [
    [],
    wide(each.grid.heading, 'heading'),
    ...(each.grid.note === undefined ? [] : [wide(each.grid.note, 'note')]),
    ...gridRows(each, cells, widths),
  ]);
  const [first] = placed;
  const isOneTable = placed.length === 1 && first !== undefined && first.grid.columns.length > 1;
  return {
    name: SHEET_NAMES[kind],
    rows: [...top, ...rows],
    widths,
    frozen: { rows: isOneTable ? first.from.row : 1, columns: widths.length > 6 ? 1 : 0 },
    landscape: all > 95,
    warnings: placed.flatMap((each) => warningsOf(each, placed)),
  };
}

/** The two sheets of a tool. @throws an error that says what differs from the text */
export function toolSheets(parts: readonly Part[], tool: ToolWords): SheetContent[] {
  return [
    sheetOf(
      'Fill in the yellow cells. The white ones calculate by themselves. The second sheet shows a finished example.',
      parts,
      tool,
      'yours',
    ),
    sheetOf(
      'The example of the tool’s page, with the same formulas. Change a yellow cell and see what follows.',
      parts,
      tool,
      'example',
    ),
  ];
}

/** The tool's spreadsheet as a file. */
export async function toolWorkbook(parts: readonly Part[], tool: ToolWords, about: FileAbout) {
  return spreadsheetFile(toolSheets(parts, tool), about);
}
