import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Best first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** Browsers send only a few different headers, so each is parsed once. */
const chosen = new LRUCache<string, Encoding>({ max: 100 });

/** The best encoding that a request accepts, from its Accept-Encoding header. */
export function encodingFor(accepted = ''): Encoding {
  const known = chosen.get(accepted);
  if (known) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const accepts = negotiator.encodings([...ENCODINGS]);
  const encoding = ENCODINGS.find((each) => accepts.includes(each)) ?? 'identity';
  chosen.set(accepted, encoding);
  return encoding;
}

const COMPRESSIBLE = /^(text\/|application\/(json|xml|.+\+(json|xml))|image\/svg)/;
/** Smaller bodies fit in one packet even uncompressed. */
const WORTH_IT = 1024;
/**
 * The level of gzip, and the quality of Brotli. At 1, a page is 3% smaller, but takes almost twice as
 * long: Brotli works in half a megabyte then, which it asks the system for with each page.
 */
const GZIP = 3;
const BROTLI = 0;

/**
 * Compresses the body of a response, and says so in its headers. Synchronously: handing such a
 * small body to another thread and getting it back takes longer than compressing it.
 * @param accepted the request's Accept-Encoding header
 */
export function compressed(
  body: Uint8Array<ArrayBuffer>,
  headers: Headers,
  accepted = '',
): Uint8Array<ArrayBuffer> {
  if (body.length < WORTH_IT || !COMPRESSIBLE.test(headers.get('Content-Type') ?? '')) return body;
  headers.append('Vary', 'Accept-Encoding');
  const encoding = encodingFor(accepted);
  if (encoding === 'identity') return body;
  headers.set('Content-Encoding', encoding);
  return encoding === 'gzip'
    ? gzipSync(body, { level: GZIP })
    : brotliCompressSync(body, {
        params: {
          [zlib.BROTLI_PARAM_QUALITY]: BROTLI,
          [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
          [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
}
