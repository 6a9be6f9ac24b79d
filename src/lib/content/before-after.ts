import { FIGURE, numberOf } from './figures.ts';

/** A figure of a case study, as it's printed: `4 of 6`, `−$1,900`, `planned $38,000`, `3.1%`. */
export interface CaseFigure {
  label: string;
  before: string;
  after: string;
}

export interface Bar {
  /** Where it begins and how long it is, from 0 to 100. */
  x: number;
  width: number;
}

/** Skill scores are drawn to 100, the best there is. */
const SCORE = 'Skill score';

/** What a printed figure is worth: the share for `4 of 6`, otherwise its first number. */
export function worthOf(printed: string): number {
  const [first, whole] = (printed.match(new RegExp(FIGURE, 'g')) ?? []).map(numberOf);
  if (first === undefined) throw new Error(`There’s no number in “${printed}”.`);
  return / of /.test(printed) && whole ? first / whole : first;
}

/**
 * The bars of a figure before and after, on one scale from zero to the larger, or to the whole for
 * shares. A negative value goes to the left of zero.
 * @throws Error if a value has no number
 */
export function barsOf({ label, before, after }: CaseFigure): [before: Bar, after: Bar] {
  const values = [worthOf(before), worthOf(after)] as const;
  const low = Math.min(0, ...values);
  const isShare = [before, after].every((printed) => / of /.test(printed));
  const high = Math.max(0, ...values, label === SCORE ? 100 : isShare ? 1 : 0);
  const at = (value: number) => Math.round((1000 * (value - low)) / (high - low || 1)) / 10;
  const bar = (value: number): Bar => {
    const [from, to] = [at(Math.min(0, value)), at(Math.max(0, value))];
    return { x: from, width: Math.round(10 * (to - from)) / 10 };
  };
  return [bar(values[0]), bar(values[1])];
}
