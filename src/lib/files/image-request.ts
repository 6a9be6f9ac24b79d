/**
 * The image route: `/image?url=…&w=…&q=…` returns one of our images at another size. The allowed
 * widths come from the specification (breakpoints and avatars, at 1x and 2x, and a placeholder).
 * The sources are people's photos, which the requester must have permission to see.
 */

/** The widths that we offer an image in, in CSS pixels; 1536 is the widest that a page shows. */
export const breakpoints = [320, 640, 768, 1024, 1280, 1536] as const;
/** Device pixels per CSS pixel. */
export const densities = [1, 2] as const;
/** Widths of avatars, in CSS pixels. */
const avatars = [16, 20, 24, 32, 40, 48] as const;
const PLACEHOLDER = 10;

/** The widths that may be requested, in pixels, smallest first. */
export const IMAGE_WIDTHS: readonly number[] = [
  ...new Set([
    PLACEHOLDER,
    ...densities.flatMap((density) => [...avatars, ...breakpoints].map((w) => w * density)),
  ]),
].sort((a, b) => a - b);

export const IMAGE_ROUTE = '/image';
const DEFAULT_QUALITY = 100;
/** The path prefix of objects in the private bucket `avatars`. */
const AVATARS = '/storage/v1/object/authenticated/avatars/';
const AVATAR_PATH = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\.(webp|jpg|png)$/;

export interface ImageRequest {
  /** Path in the bucket `avatars`. */
  path: string;
  /** Pixels. */
  width: number;
  /** 1 to 100. */
  quality: number;
}

/** Parses an image request's query. Returns a sentence with the problem if it's invalid. */
export function readImageRequest(query: URLSearchParams): ImageRequest | string {
  const url = query.get('url') ?? '';
  const width = Number(query.get('w'));
  const quality = query.has('q') ? Number(query.get('q')) : DEFAULT_QUALITY;
  const path = url.startsWith(AVATARS) ? url.slice(AVATARS.length) : '';
  if (!AVATAR_PATH.test(path)) return 'url: only pictures of this site';
  if (!IMAGE_WIDTHS.includes(width)) return `w: one of ${IMAGE_WIDTHS.join(', ')}`;
  if (!Number.isInteger(quality) || quality < 1 || quality > 100)
    return 'q: a number from 1 to 100';
  return { path, width, quality };
}

/** The URL of a person's photo, large enough for the biggest avatar at 2x; null without a photo. */
export function avatarSrc(path: string | null | undefined): string | null {
  if (!path) return null;
  const query = new URLSearchParams({ url: AVATARS + path, w: '96', q: '80' });
  return `${IMAGE_ROUTE}?${query}`;
}
