/** Measures images and picks the sizes to generate; `components/Picture.astro` renders them. */
import sharp from 'sharp';
import { breakpoints, densities } from './image-request.ts';

/** Best compression first: a browser uses the first format that it supports. */
export const formats = ['avif', 'webp'] as const;
/** Of 100. An image that looks the same at less sets its own quality. */
export const defaultQuality = 100;

export interface Size {
  /** In pixels, after applying the EXIF orientation; zero if unreadable. */
  width: number;
  height: number;
  /** Width divided by height; zero if unreadable. */
  ratio: number;
}

const unknown: Size = { width: 0, height: 0, ratio: 0 };

/** Returns the displayed size of an image; zeros if the bytes aren't an image. Never throws. */
export async function sizeOf(bytes: Uint8Array): Promise<Size> {
  try {
    const { width, height } = (await sharp(bytes).metadata()).autoOrient;
    return width > 0 && height > 0 ? { width, height, ratio: width / height } : unknown;
  } catch {
    return unknown;
  }
}

/**
 * The widths, in pixels, to generate for an image `own` pixels wide that's displayed at up to
 * `shown` CSS pixels: every breakpoint at 1x and 2x, but never wider than the original.
 */
export function widthsOf(own: number, shown: number): number[] {
  const steps = [...breakpoints.filter((width) => width < shown), shown];
  const most = densities.flatMap((density) => steps.map((width) => width * density));
  const possible = most.map((width) => Math.min(Math.round(width), own));
  return [...new Set(possible)].sort((a, b) => a - b);
}

/**
 * A placeholder until the image loads: 10 by 10 pixels, blurred, as a data URL. Null if the bytes
 * aren't an image.
 */
export async function placeholder(bytes: Uint8Array): Promise<string | null> {
  try {
    const small = sharp(bytes).resize(10, 10, { fit: 'fill' }).blur(3).webp({ quality: 50 });
    return `data:image/webp;base64,${(await small.toBuffer()).toString('base64')}`;
  } catch {
    return null;
  }
}
