/** Amounts as people type and paste them, and as the grid shows them. */
import { MOST_CENTS } from '#domain/forecast.ts';
import { minorOf, money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';

/**
 * Parses a cell: "$1,234.50", "(200)", "-" (how spreadsheets show a zero), or nothing.
 * @returns cents, null for blank, or a short sentence that says what's wrong
 */
export function readCents(text: string): number | null | string {
  const bare = text.trim().replace(/\s*([$()])\s*/g, '$1');
  if (bare === '') return null;
  if (/^\$?[-–—]$/.test(bare)) return 0;
  const cents = minorOf(bare.replace(/^\$\(/, '($'), 'USD');
  if (cents === null) return 'Not an amount';
  if (Math.abs(cents) > MOST_CENTS) return 'Too large';
  return cents;
}

/** "1,250", "−300.50"; nothing for blank. */
export function cellText(cents: number | null): string {
  if (cents === null) return '';
  const size = Math.abs(cents);
  const rest = size % 100;
  const whole = wholeText((size - rest) / 100);
  return `${cents < 0 ? '−' : ''}${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/** An amount in a field that's filled in: "$1,250"; nothing for blank. */
export const fieldText = (cents: number | null): string => (cents === null ? '' : dollars(cents));

/** An amount as it's edited in a cell and copied: "1250", "-300.50". */
export const plainText = (cents: number | null): string =>
  cellText(cents).replaceAll(',', '').replace('−', '-');

/** "$1,250", "−$300" */
export const dollars = (cents: number): string => money(cents, 'USD').replace('-', '−');
