/** Tables as CSV (RFC 4180), whose cells no spreadsheet takes for formulas. */

/** What makes a spreadsheet calculate: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Rows as CSV, with a byte-order mark so that spreadsheets read it as UTF-8. The columns are those of
 * all rows, in the order in which they first appear; what is an object becomes JSON.
 */
export function csvOf(rows: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns.map(cell), ...rows.map((row) => columns.map((name) => cell(row[name])))];
  return `\ufeff${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}
