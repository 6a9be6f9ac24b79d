/** What a file is, read from its bytes: a name can say anything. */
import { AppError } from './errors.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** What projects and messages take; their buckets hold to the same. */
const KINDS = 'PDF, Word, Excel, PowerPoint, PNG, JPEG, WebP, text or CSV';
const FILE_MB = 20;

/** The same, as it is told to people. */
export const FILES_TAKEN = `${KINDS}, at most ${FILE_MB} MB each`;

const startsWith = (bytes: Uint8Array, start: number[], at = 0) =>
  start.every((byte, index) => bytes[at + index] === byte);
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** Kinds told by their first bytes. https://en.wikipedia.org/wiki/List_of_file_signatures */
function bySignature(bytes: Uint8Array): string | null {
  if (startsWith(bytes, ascii('%PDF-'))) return 'application/pdf';
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'image/webp';
  return null;
}

/** Whether it is one of the pictures above, which nothing but their first bytes tells. */
export async function isPicture(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return bySignature(head)?.startsWith('image/') ?? false;
}

/** Office files are archives: the folder of their main part says which one it is. */
function byParts(bytes: Uint8Array): string | null {
  if (!startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return null;
  // Names of parts stand in the archive as they are, in its headers and in its index at the end.
  const text = new TextDecoder('latin1').decode(bytes);
  if (!text.includes('[Content_Types].xml')) return null;
  if (text.includes('word/document.xml')) return `${OFFICE}.wordprocessingml.document`;
  if (text.includes('xl/workbook.xml')) return `${OFFICE}.spreadsheetml.sheet`;
  if (text.includes('ppt/presentation.xml')) return `${OFFICE}.presentationml.presentation`;
  return null;
}

function byText(bytes: Uint8Array, name: string): string | null {
  if (bytes.includes(0)) return null;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  if (/\.csv$/i.test(name)) return 'text/csv';
  return /\.(txt|md|text)$/i.test(name) ? 'text/plain' : null;
}

/**
 * The media type of a file by its content; null where it is none that is kept. Text has no
 * signature: there the name decides which text it is.
 */
export function kindOf(bytes: Uint8Array, name: string): string | null {
  return bySignature(bytes) ?? byParts(bytes) ?? byText(bytes, name);
}

/** The media type of a file that fits. Throws an AppError that says what does not. */
export async function checkedKind(file: File): Promise<string> {
  if (file.size === 0) throw new AppError('invalid', 'This file is empty.');
  if (file.size > FILE_MB * 1024 * 1024) {
    throw new AppError(
      'invalid',
      `This file has ${sizeText(file.size)}; at most ${FILE_MB} MB fit. Send a smaller version.`,
    );
  }
  const type = kindOf(new Uint8Array(await file.arrayBuffer()), file.name);
  if (!type) throw new AppError('invalid', `Its content is none that is taken here: ${KINDS}.`);
  return type;
}

/** Bytes as people read them: "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
