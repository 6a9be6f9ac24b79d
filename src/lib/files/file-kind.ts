/** Detects a file's type from its bytes, because its name can say anything. */
import { bySignature, kindOf } from '#backend/supabase/functions/_shared/file-signature.ts';
import { AppError } from '../errors.ts';

export { kindOf };

/** What somewhere accepts. Its storage bucket enforces the same. */
interface Accepted {
  /** The kinds of file in words. */
  kinds: string;
  megabytes: number;
  /** Media types; without it, every type that we can detect. */
  types?: readonly string[];
}

/** What projects and messages accept. */
const FILES: Accepted = {
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

/** Whether a file is a PNG, JPEG or WebP, judging by its first bytes. */
export async function isPicture(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return bySignature(head)?.startsWith('image/') ?? false;
}

/** Returns the media type of an acceptable file. Throws an AppError that says why it isn't. */
export async function checkedKind(
  file: File,
  { kinds, megabytes, types }: Accepted = FILES,
): Promise<string> {
  if (file.size === 0) throw new AppError('invalid', 'This file is empty.');
  if (file.size > megabytes * 1024 * 1024) {
    throw new AppError(
      'invalid',
      `This file is ${sizeText(file.size)}, and the limit is ${megabytes} MB. Send a smaller version.`,
    );
  }
  const type = kindOf(new Uint8Array(await file.arrayBuffer()), file.name);
  if (!type || (types && !types.includes(type))) {
    throw new AppError('invalid', `We can’t accept this kind of file. We take: ${kinds}.`);
  }
  return type;
}

/** A file size as display text: "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
