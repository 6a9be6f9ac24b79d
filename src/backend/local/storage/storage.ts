import { fitsType } from '#backend/supabase/functions/_shared/file-signature.ts';
import { contentRange } from '#domain/byte-range.ts';
import type { Caller } from '../gateway/lite.ts';
import type { PartWish } from './folder.ts';
import { listFolder, refusal, signMany, type ToLite } from './listing.ts';

/** The largest file anyone can upload, in bytes; a bucket can have a lower limit. */
export const LARGEST_UPLOAD = 50 * 1024 * 1024;

/** How long a link is valid at most, in seconds: short, in case a user loses access to the file. */
const LONGEST_LINK = 60;

/** Storage paths that a browser opens without a key: a signed link or a public bucket allows it. */
export function isOpenStoragePath(path: string): boolean {
  return /^\/(object|render\/image)\/(public|sign)\/[^/]+\/./.test(path) || path === '/status';
}

export function isUpload(path: string, method: string): boolean {
  const brings = method === 'POST' || method === 'PUT';
  return brings && /^\/object\/(?!(sign|list|move|copy|info)\b)/.test(path);
}

/** Bucket and path of the file that a request may replace; null for other requests. */
export function replacedBy(path: string, request: Request): { bucket: string; key: string } | null {
  const [, bucket, key] = /^\/object\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const wants = request.method === 'PUT' || request.headers.get('x-upsert') === 'true';
  if (!wants || !bucket || !key) return null;
  try {
    return { bucket: decodeURIComponent(bucket), key: decodeURIComponent(key) };
  } catch {
    return null;
  }
}

/**
 * Handles one request below /storage/v1 through lite, and works around the differences between
 * storage-js 2.119 and lite 0.10.0; `path` is the part after /storage/v1.
 */
export async function answerStorage(
  path: string,
  request: Request,
  role: Caller['role'] | undefined,
  toLite: ToLite,
): Promise<Response> {
  // No policy lets a visitor without a session store a file, so we don't even read what they send.
  if (role === 'anon' && isUpload(path, request.method)) {
    return refusal('403', 'Unauthorized', 'new row violates row-level security policy');
  }
  // lite doesn't check policies for an upload through a signed link: someone who has lost access
  // could still store a file, or replace one that others have already seen if the link allows it.
  if (path.startsWith('/object/upload/')) {
    return refusal('403', 'Unauthorized', 'Files are uploaded with a session, not by a link', 403);
  }
  if (request.method === 'POST' && /^\/object\/list\/[^/]+$/.test(path)) {
    return listFolder(request, toLite);
  }
  if (request.method === 'POST' && /^\/object\/sign\//.test(path) && (await isTooLong(request))) {
    const message = `A link opens a file for at most ${LONGEST_LINK} seconds`;
    return refusal('400', 'InvalidRequest', message);
  }
  if (request.method === 'POST' && /^\/object\/sign\/[^/]+$/.test(path)) {
    return signMany(request, toLite);
  }
  const read = isUpload(path, request.method) ? await readUpload(request) : request;
  return read instanceof Response ? read : mendAnswer(path, request, await toLite(read));
}

/** Whether a request would create a link that's valid for longer than LONGEST_LINK. */
async function isTooLong(request: Request): Promise<boolean> {
  const wish = (await request
    .clone()
    .json()
    .catch(() => null)) as { expiresIn?: unknown } | null;
  return !(Number(wish?.expiresIn) <= LONGEST_LINK);
}

/**
 * Converts an upload from storage-js for lite 0.10.0: a file in a multipart form becomes the plain
 * body. Reads it to the end first, because lite responds 500 to a body that breaks off.
 */
async function readUpload(request: Request): Promise<Request | Response> {
  const type = request.headers.get('content-type') ?? '';
  const headers = new Headers(request.headers);
  let body: ArrayBuffer;
  if (type.startsWith('multipart/form-data')) {
    const form = await request.formData().catch(unreadable);
    const file = form && [...form.values()].find((value) => value instanceof Blob);
    if (!form || !file) return refusal('400', 'InvalidRequest', 'The form has no file');
    headers.set('content-type', file.type || 'application/octet-stream');
    const seconds = Number(form.get('cacheControl') ?? Number.NaN);
    if (Number.isInteger(seconds)) headers.set('cache-control', `max-age=${seconds}`);
    body = await file.arrayBuffer();
  } else body = await request.arrayBuffer();
  const [kind = ''] = (headers.get('content-type') ?? '').split(';');
  if (!fitsType(new Uint8Array(body), kind.trim().toLowerCase())) {
    return refusal('415', 'invalid_mime_type', `The content of the file isn't ${kind}`);
  }
  headers.set('content-length', String(body.byteLength));
  const { url, method, signal } = request;
  return new Request(url, { method, headers, body, signal });
}

/** An invalid form counts as no form; the gateway handles one that's too large or too slow. */
function unreadable(error: Error): null {
  if (error.cause instanceof Error || !(error instanceof TypeError)) throw error;
  return null;
}

/**
 * Converts lite's response for storage-js: `signedURL` instead of `signedUrl`. Its headers also
 * keep a file that someone uploaded from acting as a page of this site.
 */
async function mendAnswer(path: string, request: Request, response: Response): Promise<Response> {
  if (request.method === 'POST' && /^\/object\/sign\//.test(path) && response.ok) {
    return Response.json(mendSigned(await response.json()), {
      status: response.status,
      headers: plain(response.headers),
    });
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return response;
  const headers = new Headers(response.headers);
  headers.set('x-content-type-options', 'nosniff');
  headers.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  const isObject = /^\/object\/(?!info\/|list\/)/.test(path);
  const type = headers.get('content-type') ?? '';
  // The uploader decides how long it may be cached, but it's always `private`: no shared caches.
  if (isObject && response.ok && !path.startsWith('/object/public/')) {
    headers.set('cache-control', `private, ${headers.get('cache-control') ?? 'no-cache'}`);
  }
  const name = new URL(request.url).searchParams.get('download');
  const isShown = /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm)|application\/pdf)\b/.test(
    type,
  );
  if (isObject && response.ok) headers.set('accept-ranges', 'bytes');
  if (isObject && response.ok && (!isShown || name !== null)) {
    headers.set('content-disposition', savedAs(name ?? ''));
  }
  return new Response(response.body, { status: response.status, headers });
}

/** What a request asks for of a file; null if it doesn't read one in parts. */
export function partWish({ method, headers }: Request): PartWish | null {
  const range = headers.get('range');
  if (method !== 'GET' || range === null) return null;
  return { range, ifRange: headers.get('if-range'), found: null };
}

/** Says which part of a file a response has (RFC 9110, section 15.3.7), which lite doesn't know. */
export function asPart(response: Response, { found }: PartWish): Response {
  if (found === null || !response.ok) return response;
  const { part, size } = found;
  const headers = new Headers(response.headers);
  headers.set('content-range', contentRange(part, size));
  if (part === 'outside') {
    void response.body?.cancel();
    headers.delete('content-length');
    return new Response(null, { status: 416, headers });
  }
  headers.set('content-length', String(part.last - part.first + 1));
  return new Response(response.body, { status: 206, headers });
}

/** Header for `?download=<name>`, which lite doesn't support; encodes names as RFC 6266 says. */
function savedAs(name: string): string {
  if (name === '') return 'attachment';
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => {
    return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `attachment; filename*=UTF-8''${encoded}`;
}

function mendSigned(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('signedUrl' in entry)) return entry;
  const url = String(entry.signedUrl).replace(/^\/storage\/v1/, '');
  return { ...entry, signedURL: url || null, url };
}

function plain(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-length');
  return copy;
}
