/** How pictures are measured and in which sizes they are made; `components/Picture.astro` draws them. */
import sharp from 'sharp';
import { breakpoints, densities } from './image-request.ts';

/** The smallest first: a browser takes the first that it knows. */
export const formats = ['avif', 'webp'] as const;
/** Of 100; a picture that looks the same with less says so itself. */
export const defaultQuality = 100;

export interface Size {
  /** In pixels of the file, upright; zero where it cannot be read. */
  width: number;
  height: number;
  /** Width by height; zero where either is. */
  ratio: number;
}

const unknown: Size = { width: 0, height: 0, ratio: 0 };

/** Gives the displayed size of a picture; zeros for bytes that aren't a picture. Never throws. */
export async function sizeOf(bytes: Uint8Array): Promise<Size> {
  try {
    const { width, height } = (await sharp(bytes).metadata()).autoOrient;
    return width > 0 && height > 0 ? { width, height, ratio: width / height } : unknown;
  } catch {
    return unknown;
  }
}

/**
 * The widths in pixels to make of a picture `own` pixels wide that is shown up to `shown` CSS pixels
 * wide: each breakpoint at each density, up to what is shown and never more than there is.
 */
export function widthsOf(own: number, shown: number): number[] {
  const steps = [...breakpoints.filter((width) => width < shown), shown];
  const most = densities.flatMap((density) => steps.map((width) => width * density));
  const possible = most.map((width) => Math.min(Math.round(width), own));
  return [...new Set(possible)].sort((a, b) => a - b);
}

/**
 * The placeholder of a picture until it has loaded: 10 by 10 pixels, blurred, as the address of
 * its own data. Null for bytes that are no picture.
 */
export async function placeholder(bytes: Uint8Array): Promise<string | null> {
  try {
    const small = sharp(bytes).resize(10, 10, { fit: 'fill' }).blur(3).webp({ quality: 50 });
    return `data:image/webp;base64,${(await small.toBuffer()).toString('base64')}`;
  } catch {
    return null;
  }
}
