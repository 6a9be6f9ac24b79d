/** Money as display text. The code stores whole minor units with their currency. */
import { wholeText } from './numbers.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** Cached, because creating a format takes a hundred times as long as using it. */
function formatOf(currency: string, digits?: number): Intl.NumberFormat {
  const key = `${currency} ${digits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    });
  formats.set(key, format);
  return format;
}

/**
 * An amount as text: `money(28500, 'USD')` is "$285", `money(9950, 'USD')` is "$99.50".
 * @param minor whole minor units, such as cents
 * @param currency ISO 4217
 * @param exact also ".00", for columns of amounts: "$285.00"
 */
export function money(minor: number, currency: string, exact = false): string {
  if (currency === 'USD' && Number.isInteger(minor)) return dollars(minor, exact);
  const digits = formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
  const amount = minor / 10 ** digits;
  const format = formatOf(currency, Number.isInteger(amount) && !exact ? 0 : digits);
  return format.format(amount).replace('-', '−');
}

/** Most amounts are in dollars, and Intl's first one would take 40 ms on a slow phone. */
function dollars(minor: number, exact: boolean): string {
  const cents = Math.abs(minor) % 100;
  const whole = wholeText((Math.abs(minor) - cents) / 100);
  return `${minor < 0 ? '−' : ''}$${whole}${cents === 0 && !exact ? '' : `.${String(cents).padStart(2, '0')}`}`;
}

/** How many decimals a currency has: 2 for USD, 0 for JPY. */
export function digitsOf(currency: string): number {
  if (currency === 'USD') return 2;
  try {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/**
 * Parses a typed amount into minor units: `minorOf('$1,250.50', 'USD')` is 125050, and
 * `minorOf('(300)', 'USD')` is -30000, since bookkeepers write losses that way. Null if it isn't an
 * amount, or has more decimals than the currency.
 */
export function minorOf(text: string, currency: string): number | null {
  const found =
    /^(?<open>\()?\s*(?<minus>[-−])?\s*[^\d\s().,−-]{0,3}\s*(?<late>[-−])?(?<whole>\d{1,3}(?:[,\s]\d{3})+|\d+)(?:\.(?<part>\d*))?\s*(?<close>\))?$/u.exec(
      text.trim(),
    )?.groups;
  if (!found || Boolean(found.open) !== Boolean(found.close)) return null;
  if (found.minus && found.late) return null;
  const digits = digitsOf(currency);
  const whole = (found.whole ?? '').replace(/[,\s]/g, '');
  const part = found.part ?? '';
  if (part.length > digits || whole.length > 12) return null;
  const minor = Number(whole + part.padEnd(digits, '0'));
  return found.open || found.minus || found.late ? -minor : minor;
}

/** A price, paid once, monthly or yearly. */
export interface Price {
  amount_minor: number;
  every: 'once' | 'month' | 'year';
}

/**
 * What paying yearly saves over twelve monthly payments, in minor units. Null if a plan isn't sold
 * both ways or saves nothing.
 */
export function yearlySaving(prices: readonly Price[]): number | null {
  const month = prices.find(({ every }) => every === 'month');
  const year = prices.find(({ every }) => every === 'year');
  if (!month || !year) return null;
  const saved = 12 * month.amount_minor - year.amount_minor;
  return saved > 0 ? saved : null;
}

/**
 * A plan's prices as the page with the prices names and writes them: {"membership month": "$79",
 * "membership saved": "$158"}.
 */
export function priceTexts(
  plan: string,
  prices: readonly Price[],
  currency: string,
): Record<string, string> {
  const saved = yearlySaving(prices);
  return {
    ...Object.fromEntries(
      prices.map(({ every, amount_minor }) => [`${plan} ${every}`, money(amount_minor, currency)]),
    ),
    ...(saved !== null && { [`${plan} saved`]: money(saved, currency) }),
  };
}
