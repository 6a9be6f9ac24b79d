/** Files in words: what we accept, and how large one is. */

/** What somewhere accepts. Its storage bucket enforces the same. */
export interface Accepted {
  /** The kinds of file in words. */
  kinds: string;
  megabytes: number;
  /** Media types; without it, every type that we can detect. */
  types?: readonly string[];
}

/** What projects and messages accept. */
export const FILES: Accepted = {
  kinds: 'PDF, Word, Excel, PowerPoint, PNG, JPEG, WebP, text or CSV',
  megabytes: 20,
};
/** What goes with a purchase order. */
export const ORDER_FILES: Accepted = {
  kinds: 'PDF, PNG or JPEG',
  megabytes: 10,
  types: ['application/pdf', 'image/png', 'image/jpeg'],
};

/** What a place accepts, as display text. */
export const acceptedText = ({ kinds, megabytes }: Accepted) => `${kinds}, up to ${megabytes} MB`;

/** What projects and messages accept, as display text. */
export const FILES_TAKEN = `${acceptedText(FILES)} each`;

/** A file size as display text: "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
