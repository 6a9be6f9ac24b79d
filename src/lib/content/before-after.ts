import { FIGURE, numberOf } from './figures.ts';

/** A figure of a case study, as it's printed: `4 of 6`, `−$1,900`, `$38,000`, `3.1%`. */
export interface CaseFigure {
  label: string;
  before: string;
  after: string;
  /** What the first value is, if it isn't what was before. */
  first?: 'planned' | 'needed' | undefined;
  /** Whether the second value is worse than the first. */
  worse?: boolean | undefined;
}

export interface Bar {
  /** Where it begins and how long it is, from 0 to 100. */
  x: number;
  width: number;
}

const NAMES = { planned: ['Planned', 'Actual'], needed: ['Needed', 'Actual'] } as const;

/** What the two values of a figure are called. */
export const namesOf = ({ first }: CaseFigure): readonly [first: string, second: string] =>
  first ? NAMES[first] : ['Before', 'After'];

/** Skill scores are drawn to 100, the best there is. */
const SCORE = 'Skill score';

/** What a printed figure is worth: the share for `4 of 6`, otherwise its first number. */
export function worthOf(printed: string): number {
  const [first, whole] = (printed.match(new RegExp(FIGURE, 'g')) ?? []).map(numberOf);
  if (first === undefined) throw new Error(`There’s no number in “${printed}”.`);
  return / of /.test(printed) && whole ? first / whole : first;
}

/** The scale of a figure's bars: its ends, and where a value is on it, from 0 to 100. */
function scaleOf({ label, before, after }: CaseFigure) {
  const values = [worthOf(before), worthOf(after)] as const;
  const low = Math.min(0, ...values);
  const isShare = [before, after].every((printed) => / of /.test(printed));
  const high = Math.max(0, ...values, label === SCORE ? 100 : isShare ? 1 : 0);
  const at = (value: number) => Math.round((1000 * (value - low)) / (high - low || 1)) / 10;
  return { values, at };
}

/**
 * Where zero is on the scale of a figure's bars, from 0 to 100; undefined if that's its end or its start,
 * where nobody takes it for anything else.
 * @throws Error if a value has no number
 */
export function zeroOf(figure: CaseFigure): number | undefined {
  const zero = scaleOf(figure).at(0);
  return zero > 0 && zero < 100 ? zero : undefined;
}

/**
 * The bars of a figure before and after, on one scale from zero to the larger, or to the whole for
 * shares. A negative value goes to the left of zero.
 * @throws Error if a value has no number
 */
export function barsOf(figure: CaseFigure): [before: Bar, after: Bar] {
  const { values, at } = scaleOf(figure);
  const bar = (value: number): Bar => {
    const [from, to] = [at(Math.min(0, value)), at(Math.max(0, value))];
    return { x: from, width: Math.round(10 * (to - from)) / 10 };
  };
  return [bar(values[0]), bar(values[1])];
}
