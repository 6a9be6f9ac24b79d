/**
 * Formulas of spreadsheets that name cells by the words next to them, such as `over('Cost', 'New customers')`.
 * A formula is written for Excel and calculated here, for previews, from the same definition.
 */
import { type CellPlace, cellName } from '#lib/files/spreadsheet.ts';

/** What a cell holds: null is empty, '' is a formula that shows nothing. */
export type Value = number | string | null;

/** What Excel shows as #VALUE! or #DIV/0!. */
export class CellError extends Error {}

export interface Area {
  from: CellPlace;
  to: CellPlace;
}

/** How a formula finds and reads cells from where it is. */
export interface Scope {
  /** The cell that a name means: in the same column, in the same line, or a single one elsewhere. */
  cell(name: string): CellPlace;
  /** The cells of a line with figures. */
  line(name: string): Area;
  /** The cell of a line one column to the left; undefined in the first column. */
  before(name: string): CellPlace | undefined;
  /** The cell above in the same column; undefined in the first line. */
  upper(): CellPlace | undefined;
  /** The lines above, up to the last computed one. */
  above(): Area;
  /** The lines from one to another, in this column. */
  between(from: string, to: string): Area;
  /** The column's lines, without its total. */
  column(name?: string): Area;
  read(place: CellPlace): Value;
}

/** A formula in one place. */
export interface Term {
  text: string;
  value(): Value;
  /** The single cells it reads. */
  reads: CellPlace[];
  /** Whether it can fail, so that the cell has to show nothing instead. */
  canFail: boolean;
  /** Whether it needs each of the cells that it reads, and not just one. */
  needsAll: boolean;
  /** Binds as tightly as: 1 sum, 2 product, 3 a single cell, number or function. */
  rank: 1 | 2 | 3;
}

/** A cell's name, a number, or how to work it out. */
export type Formula = string | number | ((scope: Scope) => Term);

const atom = (text: string, value: () => Value, more: Partial<Term> = {}): Term => ({
  text,
  value,
  reads: [],
  canFail: false,
  needsAll: false,
  rank: 3,
  ...more,
});

const reading = (scope: Scope, place: CellPlace) =>
  atom(cellName(place), () => scope.read(place), { reads: [place] });

export function termOf(formula: Formula, scope: Scope): Term {
  if (typeof formula === 'number') return atom(String(formula), () => formula);
  if (typeof formula === 'string') return reading(scope, scope.cell(formula));
  return formula(scope);
}

/** As Excel takes a cell in arithmetic: empty is 0, text fails. */
function numberOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new CellError();
}

const inParentheses = (term: Term, rank: number) =>
  term.rank < rank ? `(${term.text})` : term.text;

const joined = (terms: readonly Term[]) => ({
  reads: terms.flatMap(({ reads }) => reads),
  canFail: terms.some(({ canFail }) => canFail),
});

function operation(
  sign: '-' | '*' | '/',
  rank: 1 | 2,
  work: (a: number, b: number) => number,
): (first: Formula, ...others: Formula[]) => Formula {
  return (first, ...others) =>
    (scope) => {
      const terms = [first, ...others].map((each) => termOf(each, scope));
      const [start, ...rest] = terms;
      if (!start) throw new Error('An operation needs a formula.');
      // What follows a minus or a division keeps its parentheses.
      const text = rest.reduce(
        (all, term) =>
          `${all}${sign}${inParentheses(term, sign === '*' ? rank : rank === 1 ? 2 : 3)}`,
        inParentheses(start, rank),
      );
      return {
        text,
        value: () =>
          rest.reduce((all, term) => work(all, numberOf(term.value())), numberOf(start.value())),
        ...joined(terms),
        canFail: sign === '/' || terms.some(({ canFail }) => canFail),
        needsAll: true,
        rank,
      };
    };
}

export const minus = operation('-', 1, (a, b) => a - b);
export const times = operation('*', 2, (a, b) => a * b);
const divided = operation('/', 2, (a, b) => {
  if (b === 0) throw new CellError();
  return a / b;
});
const ratios = new Set<Formula>();
export function over(first: Formula, second: Formula): Formula {
  const ratio = divided(first, second);
  ratios.add(ratio);
  return ratio;
}
/** Whether a formula is a division, which a list's total works out again instead of adding up. */
export const isRatio = (formula: Formula) => ratios.has(formula);

/** An area, or a formula's cell, as a function of Excel takes it. */
type Argument = Formula | ((scope: Scope) => Area);

const cellsOf = ({ from, to }: Area): CellPlace[] =>
  Array.from({ length: to.row - from.row + 1 }, (_, row) =>
    Array.from({ length: to.column - from.column + 1 }, (__, column) => ({
      row: from.row + row,
      column: from.column + column,
    })),
  ).flat();

/** Arguments as text and as values; those of an area one by one. */
function spread(args: readonly Argument[], scope: Scope) {
  const parts = args.map((argument) => {
    const found = typeof argument === 'function' ? argument(scope) : termOf(argument, scope);
    if ('from' in found) {
      return {
        text: `${cellName(found.from)}:${cellName(found.to)}`,
        values: () => cellsOf(found).map((place) => scope.read(place)),
        reads: [],
        canFail: false,
      };
    }
    return { ...found, values: () => [found.value()] };
  });
  return {
    text: parts.map(({ text }) => text).join(','),
    numbers: () =>
      parts
        .flatMap(({ values }) => values())
        .filter((value): value is number => typeof value === 'number'),
    reads: parts.flatMap(({ reads }) => reads),
    canFail: parts.some(({ canFail }) => canFail),
  };
}

/** A function that ignores empty cells and texts, as SUM does. */
const ofNumbers =
  (name: string, work: (numbers: number[]) => number) =>
  (...args: Argument[]): ((scope: Scope) => Term) =>
  (scope) => {
    const { text, numbers, reads, canFail } = spread(args, scope);
    return atom(`${name}(${text})`, () => work(numbers()), { reads, canFail });
  };

export const sum = ofNumbers('SUM', (numbers) => numbers.reduce((all, each) => all + each, 0));
export const lowest = ofNumbers('MIN', (numbers) =>
  numbers.length > 0 ? Math.min(...numbers) : 0,
);
export const largest = ofNumbers('MAX', (numbers) =>
  numbers.length > 0 ? Math.max(...numbers) : 0,
);

/** A function of numbers that needs them all. */
const calling =
  (name: string, work: (...numbers: number[]) => number) =>
  (...args: Formula[]): Formula =>
  (scope) => {
    const terms = args.map((each) => termOf(each, scope));
    return atom(
      `${name}(${terms.map(({ text }) => text).join(',')})`,
      () => work(...terms.map((term) => numberOf(term.value()))),
      { ...joined(terms), needsAll: true },
    );
  };

/** Excel rounds halves away from zero, and takes 2.4999999999999996 for 2.5. */
function rounded(value: number, digits: number, round: (value: number) => number): number {
  const scaled = Number((Math.abs(value) * 10 ** digits).toPrecision(14));
  return (Math.sign(value) * round(scaled)) / 10 ** digits;
}

const roundTo = calling('ROUND', (value = 0, digits = 0) => rounded(value, digits, Math.round));
const up = calling('ROUNDUP', (value = 0, digits = 0) => rounded(value, digits, Math.ceil));
const down = calling('ROUNDDOWN', (value = 0, digits = 0) => rounded(value, digits, Math.floor));
export const round = (value: Formula, digits = 0) => roundTo(value, digits);
export const roundUp = (value: Formula) => up(value, 0);
export const roundDown = (value: Formula) => down(value, 0);

const payment = calling('PMT', (rate = 0, periods = 0, amount = 0) => {
  if (rate === 0) throw new CellError();
  return (-rate * amount) / (1 - (1 + rate) ** -periods);
});
/** A loan's payment each month, above zero. @param rate of a year, such as 0.105 */
export const monthlyPayment = (amount: Formula, rate: Formula, months: Formula): Formula => {
  const written = payment(over(rate, 12), months, minus(0, amount));
  return (scope) => ({ ...termOf(written, scope), canFail: true });
};

/** One of two words: if the first formula is at most the second, or not. */
export const ifAtMost =
  (left: Formula, right: Formula, then: string, otherwise: string): Formula =>
  (scope) => {
    const [a, b] = [termOf(left, scope), termOf(right, scope)];
    return atom(
      `IF(${a.text}<=${b.text},"${then}","${otherwise}")`,
      () => (numberOf(a.value()) <= numberOf(b.value()) ? then : otherwise),
      { ...joined([a, b]), needsAll: true },
    );
  };

/** How many figures of a line are less than a cell. */
export const countBelow =
  (line: string, limit: string): Formula =>
  (scope) => {
    const area = scope.line(line);
    const place = scope.cell(limit);
    return atom(
      `COUNTIF(${cellName(area.from)}:${cellName(area.to)},"<"&${cellName(place)})`,
      () => {
        const most = numberOf(scope.read(place));
        return cellsOf(area).filter((each) => {
          const value = scope.read(each);
          return typeof value === 'number' && value < most;
        }).length;
      },
      { reads: [place] },
    );
  };

/** Areas, for `sum`, `lowest` and `largest`. */
export const above = (scope: Scope) => scope.above();
export const wholeLine = (name: string) => (scope: Scope) => scope.line(name);
export const linesBetween = (from: string, to: string) => (scope: Scope) => scope.between(from, to);
export const wholeColumn = (name?: string) => (scope: Scope) => scope.column(name);

/** The figure of a line a column before; in the first column, people type it in. */
export const before =
  (name: string): Formula =>
  (scope) => {
    const place = scope.before(name);
    if (!place) throw new FirstCell();
    return reading(scope, place);
  };

/** The cell above in this column; 0 in the first line. */
export const upper: Formula = (scope) => {
  const place = scope.upper();
  return place ? reading(scope, place) : atom('0', () => 0);
};

/** There's nothing before the first column: its cell is filled in. */
export class FirstCell extends Error {}

/**
 * A cell's formula and result. One that can't be worked out yet shows nothing.
 * @param lineCells the cells of its line, if it's one of a list: without them it shows nothing
 */
export function cellFormula(
  formula: Formula,
  scope: Scope,
  lineCells: (place: CellPlace) => boolean,
  isEmptyOften: (place: CellPlace) => boolean,
): { text: string; value(): Value; canBeEmpty: boolean } {
  const term = termOf(formula, scope);
  const own = [
    ...new Map(term.reads.filter(lineCells).map((each) => [cellName(each), each])).values(),
  ];
  const canFail = term.canFail || (term.needsAll && term.reads.some(isEmptyOften));
  const text = canFail ? `IFERROR(${term.text},"")` : term.text;
  const value = () => {
    try {
      return term.value();
    } catch (error) {
      if (error instanceof CellError && canFail) return '';
      throw error;
    }
  };
  if (own.length === 0) return { text, value, canBeEmpty: canFail };
  const needed = term.needsAll ? own.length : 1;
  const known = () => own.filter((each) => typeof scope.read(each) === 'number').length;
  return {
    text: `IF(COUNT(${own.map(cellName).join(',')})<${needed},"",${text})`,
    value: () => (known() < needed ? '' : value()),
    canBeEmpty: true,
  };
}
