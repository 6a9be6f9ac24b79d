/** What a calculator said once, next to what it says now, in a sentence or two. */
import { money } from '#lib/locale/money.ts';
import { answerOf, type TypedField, typedFields } from './answer.ts';
import { breakEven } from './break-even.ts';
import { cashRunway } from './cash-runway.ts';
import { type CalculatorKind, withSign } from './definitions.ts';
import { priceFor } from './price.ts';

type Values = Record<string, number>;

/** The result as a number: sales a month, months, or cents; null if it isn't one. */
const MEASURES: Record<CalculatorKind, (values: Values) => number | null> = {
  'break-even'({ fixed = 0, price = 0, variable = 0 }) {
    const result = breakEven({ fixed, price, variable });
    return result.name === 'never' ? null : result.units;
  },
  'cash-runway'({ cash = 0, income = 0, costs = 0 }) {
    const result = cashRunway({ cash, income, costs });
    return result.name === 'lasts' ? null : result.months;
  },
  price: ({ cost = 0, hours = 0, rate = 0, overhead = 0, margin = 0 }) =>
    priceFor({ cost, hours, rate, overhead, margin }).price,
};

const measureOf = (kind: CalculatorKind, fields: readonly TypedField[]) =>
  MEASURES[kind](Object.fromEntries(fields.map(({ field, value }) => [field.name, Number(value)])));

/** "214 more", "$3.00 less" */
function differenceText(kind: CalculatorKind, by: number): string {
  // Months have a decimal.
  const size = Math.round(Math.abs(by) * 10) / 10;
  if (kind === 'price') return `${money(size, 'USD')} ${by > 0 ? 'more' : 'less'}`;
  return `${size.toLocaleString('en-US')} ${by > 0 ? 'more' : 'fewer'}`;
}

/** "Price of one sale: $4.20", "Fixed costs per month: $26,390 then, $27,000 now" */
function figureTexts(before: readonly TypedField[], after: readonly TypedField[]): string[] {
  return before.map(({ field, text }, at) => {
    const [was, is] = [text, after[at]?.text ?? ''].map(
      (each) => withSign(each, field.unit) || 'blank',
    );
    return `${field.label}: ${was === is ? was : `${was} then, ${is} now`}`;
  });
}

const isSame = (before: readonly TypedField[], after: readonly TypedField[]) =>
  before.every(({ text }, at) => text.trim() === after[at]?.text.trim());

/**
 * Compares an earlier version of a calculator with what's typed now.
 * @returns what it said then, a sentence that compares, and its figures, each with today's if it's another
 */
export function compareTyped(
  kind: CalculatorKind,
  before: Record<string, string>,
  after: Record<string, string>,
): { was: string; sentence: string; figures: string[] } {
  const [past, present] = [typedFields(kind, before), typedFields(kind, after)];
  const [one, other] = [answerOf(kind, past), answerOf(kind, present)];
  const figures = figureTexts(past, present);
  const headline = one?.headline ?? 'Not filled in completely';
  return { was: headline, sentence: sentenceOf(), figures };

  function sentenceOf(): string {
    if (isSame(past, present)) return 'The same figures as now.';
    if (!other) return 'Now it’s not filled in completely.';
    const now = `Now it’s ${lower(other.headline)}`;
    if (!one) return `${now}.`;
    const [first, second] = [measureOf(kind, past), measureOf(kind, present)];
    if (first === null || second === null) {
      const same = one.headline === other.headline;
      return same ? 'The same answer as now.' : `Now: ${other.headline}.`;
    }
    if (first === second) return 'The same answer as now.';
    return `${now}, ${differenceText(kind, second - first)}.`;
  }
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
