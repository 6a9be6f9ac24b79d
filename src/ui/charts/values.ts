/** Number formats for charts. */
import { wholeText } from '#lib/locale/numbers.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** Cached, because creating a format takes a hundred times as long as using it. */
function formatOf(minimumFractionDigits: number, maximumFractionDigits: number) {
  const digits = { minimumFractionDigits, maximumFractionDigits };
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`;
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', digits);
  formats.set(key, format);
  return format;
}

function digitsOf(size: number, unit: string): string {
  if (Number.isInteger(size)) return wholeText(size);
  return (unit === '$' ? formatOf(2, 2) : formatOf(0, 1)).format(size);
}

/**
 * Formats a value with its unit: `$` goes before it, with two decimals if it has any; `%` directly
 * after it, and any other unit after a space. An unknown value is a dash, never 0.
 */
export function valueText(value: number | null, unit = ''): string {
  if (value === null) return '–';
  const digits = digitsOf(Math.abs(value), unit);
  const sign = value < 0 ? '−' : '';
  if (unit === '$') return `${sign}$${digits}`;
  return `${sign}${digits}${unit === '%' ? '%' : unit && ` ${unit}`}`;
}

/** Formats a value for an axis tick; from a million on it's short, "$1.2M", to save space. */
export function tickText(value: number, unit = ''): string {
  if (Math.abs(value) < 1e6) return valueText(value, unit);
  const digits = Math.abs(value).toLocaleString('en-US', {
    notation: 'compact',
    maximumFractionDigits: 2,
  });
  return `${value < 0 ? '−' : ''}${unit === '$' ? '$' : ''}${digits}${unit === '%' ? '%' : ''}`;
}

/** The minimum and maximum, extended to include 0, and never equal. */
export function extent(values: readonly (number | null)[]): [low: number, high: number] {
  const known = values.filter((value) => value !== null);
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  return low === high ? [0, 1] : [low, high];
}
