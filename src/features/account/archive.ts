/** Zips everything about a user in the browser, so that the content isn't stored anywhere else. */
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Export, StoredFile } from '#data/account.ts';
import { csvOf } from '#lib/files/csv.ts';

export interface Progress {
  /** How many files are in the archive so far, and how many there are in total. */
  done: number;
  of: number;
}

const README = `Everything we stored about you when this archive was created.

everything.json  all of it in one file, for programs
tables/          the same data, one file per table, for spreadsheets
files/           what you and your businesses uploaded
missing.txt      if it's here: files on the list that we could no longer read

Times are in UTC; that's what the +00:00 after them means.
`;

/** A path every system can unpack. The record's folder and the id keep files of one name apart. */
function placeOf({ bucket, path, name }: StoredFile): string {
  const clean =
    name
      .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(-120) || 'file';
  const folder = path
    .split('/')
    .slice(0, -1)
    .join('/')
    .replaceAll(/[^A-Za-z0-9/-]/g, '_');
  const id = path
    .split('/')
    .at(-1)
    ?.replaceAll(/[^A-Za-z0-9-]/g, '_')
    .slice(0, 8);
  return `files/${bucket}/${folder}/${id} ${clean}`;
}

/**
 * Builds the archive.
 * @param read returns a file's content, or null if it was deleted; any error it throws is passed on
 */
export async function makeArchive(
  everything: Export,
  read: (file: StoredFile) => Promise<Uint8Array | null>,
  tell: (progress: Progress) => void,
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    // Copied, because the library reuses its buffer.
    else chunks.push(new Uint8Array(chunk));
  });
  const add = (name: string, content: Uint8Array, packed: boolean) => {
    const entry = packed ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    entry.mtime = everything.made_at;
    zip.add(entry);
    entry.push(content, true);
  };

  add('README.txt', strToU8(README), true);
  add('everything.json', strToU8(JSON.stringify(everything, null, 2)), true);
  for (const [name, rows] of Object.entries(everything.tables)) {
    if (rows.length > 0) add(`tables/${name}.csv`, strToU8(csvOf(rows)), true);
  }
  const missing: string[] = [];
  const of = everything.files.length;
  for (const [done, file] of everything.files.entries()) {
    tell({ done, of });
    const content = await read(file);
    // Pictures and documents are compressed already.
    if (content) add(placeOf(file), content, false);
    else missing.push(`${file.bucket}/${file.path} (${file.name})`);
  }
  if (missing.length > 0) add('missing.txt', strToU8(`${missing.join('\n')}\n`), true);
  tell({ done: of, of });
  zip.end();
  if (failure) throw failure;
  return new Blob(chunks, { type: 'application/zip' });
}
