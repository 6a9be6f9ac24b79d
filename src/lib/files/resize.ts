/** Uploaded pictures are drawn again: what is served is never the original file. */
import sharp, { type Sharp } from 'sharp';

/** More pixels than this are a bomb, not a picture. */
const MOST_PIXELS = 40_000_000;
/** What a browser cuts a picture to. A drawing (SVG) would be a program for our renderer. */
const FORMATS = new Set<string>(['jpeg', 'png', 'webp']);

export interface Resized {
  body: Uint8Array<ArrayBuffer>;
  type: 'image/avif' | 'image/webp' | 'image/jpeg';
}

/**
 * Draws a picture at most so many pixels wide, in the best format that the reader takes.
 * @param accept the reader's Accept header
 * @param quality 1 to 100
 * @throws Error when the bytes are no JPEG, PNG or WebP, whatever they are called
 */
export async function resize(
  bytes: ArrayBuffer,
  width: number,
  quality: number,
  accept: string,
): Promise<Resized> {
  const given = sharp(bytes, { limitInputPixels: MOST_PIXELS, animated: false });
  const { format } = await given.metadata();
  if (!FORMATS.has(format)) throw new Error(`${format} is none of the formats that people bring.`);
  const picture = given.rotate().resize({ width, withoutEnlargement: true });
  if (accept.includes('image/avif')) {
    return { body: await bytesOf(picture.avif({ quality, effort: 0 })), type: 'image/avif' };
  }
  if (accept.includes('image/webp')) {
    return { body: await bytesOf(picture.webp({ quality, effort: 1 })), type: 'image/webp' };
  }
  const onWhite = picture.flatten({ background: '#ffffff' });
  return { body: await bytesOf(onWhite.jpeg({ quality })), type: 'image/jpeg' };
}

const bytesOf = async (picture: Sharp) => new Uint8Array(await picture.toBuffer());
