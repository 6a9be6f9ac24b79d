/** Formulas that the worked examples share, in dollars, and the rules that our guides give. */
import { quizVersionSchema } from '#collections/quiz.ts';
import type { Answer } from '#domain/attempt.ts';
import type { ScoredQuestion } from '#domain/questions-asked.ts';
import { scoreArea } from '#domain/scoring.ts';
import { breakEven } from '#ui/calculators/break-even.ts';
import { cashRunway } from '#ui/calculators/cash-runway.ts';
import { yaml } from '../content-files.ts';
import { figureIn, says } from './worked-example.ts';

export const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

/** The monthly payment of an amortized loan. @param rate yearly, in percent */
export function monthlyPayment(amount: number, rate: number, months: number): number {
  const monthly = rate / 1200;
  return (amount * monthly) / (1 - (1 + monthly) ** -months);
}

/** The interest rate per period, in percent, at which equal payments pay an amount back. */
export function periodRate(amount: number, payment: number, periods: number): number {
  let [low, high] = [1e-9, 1];
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if ((payment * (1 - (1 + middle) ** -periods)) / middle > amount) low = middle;
    else high = middle;
  }
  return low * 100;
}

/** Yearly rate, in percent, of an advance paid back daily over six months (126 business days). */
export const sixMonthAdvanceRate = (amount: number, back: number) =>
  periodRate(amount, back / 126, 126) * 252;

/** The balance after each period. */
export function balances(start: number, ins: readonly number[], outs: readonly number[]): number[] {
  let left = start;
  return ins.map((income, index) => {
    left += income - (outs[index] ?? 0);
    return left;
  });
}

/** Sales to break even, as the site's calculator computes them. */
export function salesToBreakEven(fixed: number, price: number, variable: number): number {
  const result = breakEven({ fixed: fixed * 100, price: price * 100, variable: variable * 100 });
  return result.name === 'reached' ? result.units : Number.POSITIVE_INFINITY;
}

/** Months the cash lasts, as the site's calculator computes them. */
export function monthsOfCash(cash: number, income: number, costs: number): number {
  const result = cashRunway({ cash: cash * 100, income: income * 100, costs: costs * 100 });
  return result.name === 'ends' ? result.months : Number.POSITIVE_INFINITY;
}

/** 95% margin of error for the gap between two shares near one half, in percentage points. */
export const gapByChance = (perSide: number) => 196 * Math.sqrt((2 * 0.25) / perSide);

export const quiz = yaml('quiz/version-2.yaml', quizVersionSchema);
/** Version 1, which the businesses of the case studies took. */
export const firstQuiz = yaml('quiz/version-1.yaml', quizVersionSchema);

/** An area's score as the site computes it; `values` are the answers in question order. */
export function areaScore(area: string, values: readonly number[], version = quiz): number {
  const questions: ScoredQuestion[] = version.questions
    .filter((question) => question.area === area)
    .map(({ key, weight }, position) => ({
      key,
      area_key: area,
      position,
      weight,
      first_look: false,
    }));
  const answers = new Map<string, Answer>(
    questions.map(({ key }, index) => [
      key,
      { question_key: key, value: values[index] ?? null, applies: true, answered_at: '' },
    ]),
  );
  return scoreArea(area, questions, answers, 'full').score ?? Number.NaN;
}

/** A case study's scores before and after, also for the `words` that repeat each. */
export const areaScores = (
  area: string,
  before: readonly number[],
  after: readonly number[],
  words: readonly [before: string, after: string],
) => ({
  "Skill score, before: '#', after: '#'": [
    areaScore(area, before, firstQuiz),
    areaScore(area, after, firstQuiz),
  ],
  [words[0]]: areaScore(area, before, firstQuiz),
  [words[1]]: areaScore(area, after, firstQuiz),
});

export const importanceOf = (area: string) =>
  quiz.areas.find(({ key }) => key === area)?.importance ?? Number.NaN;

const LITERACY = 'pages/financial-literacy.mdx';
const CAPITAL = 'pages/access-to-capital.mdx';

/** Rules that our guides give owners. Each check also fails if its guide no longer says so. */
export const ourRules = {
  /** A year's cash covers the payments by the ratio that lenders want. */
  covers: (cash: number, payments: number) =>
    cash / payments >= figureIn(LITERACY, 'Many lenders want # or more'),
  /** The owner puts in at least 10%, the usual minimum. */
  putsIn: (own: number, price: number) =>
    own / price >= 0.1 && says(CAPITAL, "Usually it's 10% to 30%"),
  /** What the loan pays for outlasts the loan. */
  outlasts: (lifeYears: number, loanYears: number) =>
    lifeYears > loanYears && says(LITERACY, 'Borrow for things that outlast the loan'),
};
