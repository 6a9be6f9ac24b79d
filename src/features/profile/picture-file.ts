/** Whether a chosen file is a picture, by what is in it and not by what it is called. */
import { isPicture } from '#lib/files/file-kind.ts';

const MOST_BYTES = 15 * 1024 * 1024;

/** The sentence that says why a file cannot be taken; null when it can. */
export async function pictureProblem(file: Blob): Promise<string | null> {
  if (file.size > MOST_BYTES) return 'This picture is larger than 15 MB. Choose a smaller one.';
  if (!(await isPicture(file))) {
    return 'This is no picture that we can use. Choose a PNG, a JPEG or a WebP.';
  }
  return null;
}
