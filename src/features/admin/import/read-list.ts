/** Reads a CSV file that an admin chose. */
import { parse } from 'papaparse';
import { AppError } from '#lib/errors.ts';

const MOST_BYTES = 10 * 1024 * 1024;
/** As many as an admin can import in a day (private.write_limits). */
const MOST_ROWS = 20_000;

export interface ListFile {
  name: string;
  headers: readonly string[];
  /** The lines after the headers, empty ones included, so that they're numbered as in the file. */
  lines: readonly (readonly string[])[];
}

const refuse = (message: string) => new AppError('invalid', message);

/** Excel on Windows still writes CSV files in its own encoding. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const isBlank = (line: readonly string[]) => line.every((value) => value.trim() === '');

/** The first line and the others. Throws an AppError that says what's wrong with the file. */
export async function readList(file: File): Promise<ListFile> {
  if (file.size > MOST_BYTES) throw refuse('This file is larger than 10 MB. Split it in parts.');
  const bytes = await file.arrayBuffer();
  // A spreadsheet's own format is a ZIP file.
  if (new TextDecoder('latin1').decode(bytes.slice(0, 2)) === 'PK') {
    throw refuse('This is a spreadsheet. Save it as CSV first, then choose that file.');
  }
  const { data } = parse<string[]>(decode(bytes).replace(/[\r\n]+$/, ''));
  const [headers = [], ...lines] = data;
  const count = lines.filter((line) => !isBlank(line)).length;
  if (isBlank(headers) || count === 0) {
    throw refuse('This file needs a first line with the names of its columns, and rows below it.');
  }
  if (headers.length > 100) throw refuse('This file has more than 100 columns.');
  if (count > MOST_ROWS) {
    throw refuse('This file has more than 20,000 rows. Split it and import the rest another day.');
  }
  return { name: file.name, headers: headers.map((header) => header.trim()), lines };
}
