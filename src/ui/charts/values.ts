/** Figures as charts write them. */

const formats = new Map<string, Intl.NumberFormat>();

/** Making a format takes a hundred times as long as using it. */
function formatOf(minimumFractionDigits: number, maximumFractionDigits: number) {
  const digits = { minimumFractionDigits, maximumFractionDigits };
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`;
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', digits);
  formats.set(key, format);
  return format;
}

/**
 * A value with its unit: `$` comes before it with two decimals where there are any, `%` directly
 * behind it, and any other unit after a space. A value that is not known is a dash, never 0.
 */
export function valueText(value: number | null, unit = ''): string {
  if (value === null) return '–';
  const decimals = Number.isInteger(value) ? 0 : unit === '$' ? 2 : 1;
  const format = unit === '$' ? formatOf(decimals, 2) : formatOf(0, 1);
  const digits = format.format(Math.abs(value));
  const sign = value < 0 ? '−' : '';
  if (unit === '$') return `${sign}$${digits}`;
  return `${sign}${digits}${unit === '%' ? '%' : unit && ` ${unit}`}`;
}

/** A value beside a rule: from a million on in short, "$1.2M", where there is little room for it. */
export function tickText(value: number, unit = ''): string {
  if (Math.abs(value) < 1e6) return valueText(value, unit);
  const digits = Math.abs(value).toLocaleString('en-US', {
    notation: 'compact',
    maximumFractionDigits: 2,
  });
  return `${value < 0 ? '−' : ''}${unit === '$' ? '$' : ''}${digits}${unit === '%' ? '%' : ''}`;
}

/** The lowest and the highest of some values, with 0 between or at an end, and never the same. */
export function extent(values: readonly (number | null)[]): [low: number, high: number] {
  const known = values.filter((value) => value !== null);
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  return low === high ? [0, 1] : [low, high];
}
