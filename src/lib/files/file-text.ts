/** Files in words: what we accept, and how large one is. */

/** What projects and messages accept. The storage buckets enforce the same. */
export const KINDS = 'PDF, Word, Excel, PowerPoint, PNG, JPEG, WebP, text or CSV';
export const FILE_MB = 20;

/** The accepted types and size limit as display text. */
export const FILES_TAKEN = `${KINDS}, up to ${FILE_MB} MB each`;

/** A file size as display text: "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
