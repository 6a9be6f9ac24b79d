/** Detects a file's type from its bytes, because its name can say anything. */
import { bySignature, kindOf } from '#backend/supabase/functions/_shared/file-signature.ts';
import { AppError } from '../errors.ts';
import { type Accepted, FILES, sizeText } from './file-text.ts';

export { kindOf };

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
  if (!type || !types.includes(type)) {
    throw new AppError('invalid', `We can’t accept this kind of file. We take: ${kinds}.`);
  }
  return type;
}
