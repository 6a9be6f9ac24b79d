/** Checks whether a chosen file is a picture by its content, not its name. */
import { isPicture } from '#lib/files/file-kind.ts';

const MOST_BYTES = 15 * 1024 * 1024;

/** Returns a sentence that says why a file can't be used; null if it can. */
export async function pictureProblem(file: Blob): Promise<string | null> {
  if (file.size > MOST_BYTES) return 'This photo is larger than 15 MB. Choose a smaller one.';
  if (!(await isPicture(file))) {
    return 'We can’t use this file. Choose a PNG, JPEG or WebP.';
  }
  return null;
}
