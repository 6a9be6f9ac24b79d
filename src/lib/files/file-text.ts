/** Files in words: what we accept, and how large one is. */
import { OFFICE_TYPES } from './office-types.ts';

/** What somewhere accepts. Its storage bucket enforces the same. */
export interface Accepted {
  /** The kinds of file in words. */
  kinds: string;
  megabytes: number;
  /** Media types. */
  types: readonly string[];
}

const PICTURES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** What projects and messages accept. */
export const FILES: Accepted = {
  kinds: 'PDF, Word, Excel, PowerPoint, PNG, JPEG, WebP, text or CSV',
  megabytes: 20,
  types: [
    'application/pdf',
    ...PICTURES,
    'text/plain',
    'text/csv',
    OFFICE_TYPES.docx,
    OFFICE_TYPES.xlsx,
    OFFICE_TYPES.pptx,
  ],
};
/** What goes with a tool. */
export const TOOL_FILES: Accepted = {
  kinds: 'PDF, Word, Excel, CSV, PNG, JPEG or WebP',
  megabytes: 20,
  types: ['application/pdf', OFFICE_TYPES.docx, OFFICE_TYPES.xlsx, 'text/csv', ...PICTURES],
};
export const TOOL_VIDEOS: Accepted = {
  kinds: 'MP4 or WebM',
  megabytes: 50,
  types: ['video/mp4', 'video/webm'],
};
export const TOOL_POSTERS: Accepted = {
  kinds: 'PNG, JPEG or WebP',
  megabytes: 20,
  types: PICTURES,
};
/** What goes with a purchase order. */
export const ORDER_FILES: Accepted = {
  kinds: 'PDF, PNG or JPEG',
  megabytes: 10,
  types: ['application/pdf', 'image/png', 'image/jpeg'],
};

/** What a place accepts, as display text. */
export const acceptedText = ({ kinds, megabytes }: Accepted) => `${kinds}, up to ${megabytes} MB`;

/** How large a file in projects and messages can be; what isn't accepted is named when it's added. */
export const FILES_UP_TO = `Up to ${FILES.megabytes} MB each`;

/** What projects and messages accept, as display text. */
export const FILES_TAKEN = `${acceptedText(FILES)} each`;

const KIND_WORDS: Record<string, string> = {
  'application/pdf': 'PDF',
  [OFFICE_TYPES.docx]: 'Word',
  [OFFICE_TYPES.xlsx]: 'Excel',
  'text/csv': 'CSV',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
  'video/mp4': 'MP4',
  'video/webm': 'WebM',
};

/** What people call a media type, and how large a file of it is: "PDF, 1.4 MB". */
export const kindText = ({ type, size }: { type: string; size: number }): string =>
  [KIND_WORDS[type], sizeText(size)].filter(Boolean).join(', ');

/** A file size as display text: "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
