/** Re-encodes uploaded images, so that we never serve an original file. */
import sharp, { type Sharp } from 'sharp';

/** More pixels than this are a decompression bomb, not a photo. */
const MOST_PIXELS = 40_000_000;
/** The formats that browsers crop to. No SVG: that would be code for our renderer to run. */
const FORMATS = new Set<string>(['jpeg', 'png', 'webp']);

export interface Resized {
  body: Uint8Array<ArrayBuffer>;
  type: 'image/avif' | 'image/webp' | 'image/jpeg';
}

/**
 * Resizes an image to at most `width` pixels, in the best format that the client accepts.
 * @param accept the request's Accept header
 * @param quality 1 to 100
 * @throws Error if the bytes aren't a JPEG, PNG or WebP, whatever the file is called
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
