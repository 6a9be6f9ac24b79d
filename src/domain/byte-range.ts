/** Parts of files that are asked for, as a video is played from the middle. */

/** The positions of a part's first and last byte. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110, section 14.1.2). Null means the whole
 * file: nothing is asked for, or several parts, or something we don't understand. `outside` means
 * that the file has nothing there.
 * @param size of the file in bytes
 */
export function byteRange(header: string | null, size: number): ByteRange | 'outside' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return null;
  const end = size - 1;
  if (from === '')
    return Number(to) === 0 || size === 0
      ? 'outside'
      : { first: Math.max(0, size - Number(to)), last: end };
  const first = Number(from);
  const last = to === '' ? end : Math.min(Number(to), end);
  if (to !== '' && Number(to) < first) return null;
  return first > end ? 'outside' : { first, last };
}

/** The `Content-Range` header of a part. */
export const contentRange = (part: ByteRange | 'outside', size: number): string =>
  part === 'outside' ? `bytes */${size}` : `bytes ${part.first}-${part.last}/${size}`;
