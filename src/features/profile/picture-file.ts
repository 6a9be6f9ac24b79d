/** Whether a chosen file is a picture, by what is in it and not by what it is called. */

const MOST_BYTES = 15 * 1024 * 1024;

/** The first bytes of the formats that are taken. */
const SIGNATURES: [type: string, at: number, bytes: number[]][] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  // RIFF, four bytes of length, WEBP.
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
];

/** The type of a picture by its first bytes, or null. */
export async function pictureType(file: Blob): Promise<string | null> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const found = SIGNATURES.find(([, at, bytes]) => bytes.every((byte, i) => head[at + i] === byte));
  return found?.[0] ?? null;
}

/** The sentence that says why a file cannot be taken; null when it can. */
export async function pictureProblem(file: Blob): Promise<string | null> {
  if (file.size > MOST_BYTES) return 'This picture is larger than 15 MB. Choose a smaller one.';
  if ((await pictureType(file)) === null) {
    return 'This is no picture that we can use. Choose a PNG, a JPEG or a WebP.';
  }
  return null;
}
