/** Detects a file's type by its content, for the browser that uploads it and the storage that accepts it. */

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const startsWith = (bytes: Uint8Array, start: number[], at = 0) =>
  start.every((byte, index) => bytes[at + index] === byte);
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** Types recognized by their first bytes. https://en.wikipedia.org/wiki/List_of_file_signatures */
export function bySignature(bytes: Uint8Array): string | null {
  if (startsWith(bytes, ascii('%PDF-'))) return 'application/pdf';
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'image/webp';
  return null;
}

/** Videos that browsers play. https://www.rfc-editor.org/rfc/rfc8794 and ISO/IEC 14496-12 */
function byContainer(bytes: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  // QuickTime movies and HEIC pictures are built the same way, under other names.
  if (/^.{4}ftyp(iso[m2-9]|mp4[12v]|avc1|M4V|dash|MSNV)/s.test(text)) return 'video/mp4';
  // The head of an EBML file names its kind.
  return startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3]) && text.includes('webm') ? 'video/webm' : null;
}

/** Office files are ZIP archives: the path of the main part shows which type it is. */
function byParts(bytes: Uint8Array): string | null {
  if (!startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return null;
  // The names of the parts appear uncompressed in the archive, in its headers and its index.
  const text = new TextDecoder('latin1').decode(bytes);
  if (!text.includes('[Content_Types].xml')) return null;
  if (text.includes('word/document.xml')) return `${OFFICE}.wordprocessingml.document`;
  if (text.includes('xl/workbook.xml')) return `${OFFICE}.spreadsheetml.sheet`;
  if (text.includes('ppt/presentation.xml')) return `${OFFICE}.presentationml.presentation`;
  return null;
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function byText(bytes: Uint8Array, name: string): string | null {
  if (!isText(bytes)) return null;
  if (/\.csv$/i.test(name)) return 'text/csv';
  return /\.(txt|md|text)$/i.test(name) ? 'text/plain' : null;
}

/** A file's media type, by content and, for text, by its name; null for types we don't accept. */
export function kindOf(bytes: Uint8Array, name: string): string | null {
  return bySignature(bytes) ?? byContainer(bytes) ?? byParts(bytes) ?? byText(bytes, name);
}

/** Whether content matches its declared type. An unknown type always matches. */
export function fitsType(bytes: Uint8Array, type: string): boolean {
  if (/^(application\/pdf|image\/(png|jpeg|webp))$/.test(type)) return bySignature(bytes) === type;
  if (/^video\/(mp4|webm)$/.test(type)) return byContainer(bytes) === type;
  if (type.startsWith(OFFICE)) return byParts(bytes) === type;
  return /^text\/(plain|csv)$/.test(type) ? isText(bytes) : true;
}
