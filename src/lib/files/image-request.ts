/**
 * The image route: `/image?url=…&w=…&q=…` gives a picture of ours in another size. Widths are those
 * of the specification (breakpoints and avatars, at densities 1 and 2) and its placeholder; the sources are
 * pictures of people, which the requester must be allowed to see.
 */

/** The widths, in CSS pixels, at which a picture is offered; 1536 is the widest that a page shows. */
export const breakpoints = [320, 640, 768, 1024, 1280, 1536] as const;
/** Screens with one and with two points to a CSS pixel. */
export const densities = [1, 2] as const;
/** Widths of avatars, in CSS pixels. */
const avatars = [16, 20, 24, 32, 40, 48] as const;
const PLACEHOLDER = 10;

/** Widths in pixels that may be asked for, smallest first. */
export const IMAGE_WIDTHS: readonly number[] = [
  ...new Set([
    PLACEHOLDER,
    ...densities.flatMap((density) => [...avatars, ...breakpoints].map((w) => w * density)),
  ]),
].sort((a, b) => a - b);

export const IMAGE_ROUTE = '/image';
const DEFAULT_QUALITY = 100;
/** As the storage service names an object of the bucket that needs a session. */
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

/** What an address asks for, or the sentence that says what is wrong with it. */
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

/** The address of a person's picture for the largest avatar on a sharp screen; null without a picture. */
export function avatarSrc(path: string | null | undefined): string | null {
  if (!path) return null;
  const query = new URLSearchParams({ url: AVATARS + path, w: '96', q: '80' });
  return `${IMAGE_ROUTE}?${query}`;
}
