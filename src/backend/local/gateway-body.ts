import { LARGEST_UPLOAD } from './storage.ts';

/** Thrown into a body that turns out to be longer than it may be. */
export class BodyTooLarge extends Error {}

const KB = 1024;

/** The most that a request to a service may carry, in bytes. */
export function bodyLimit(service: string, path: string): number {
  if (service === 'auth') return 64 * KB;
  if (service === 'functions') return 6 * KB * KB;
  // A multipart upload has its borders and fields beside the file.
  if (service === 'storage' && path.startsWith('/object/')) return LARGEST_UPLOAD + 64 * KB;
  return 2 * KB * KB;
}

/** The same request under this address, whose body fails once it is longer than the limit in bytes. */
export function limitBody(request: Request, url: URL, limit: number): Request {
  if (!request.body) return url.href === request.url ? request : new Request(url, request);
  let size = 0;
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > limit) controller.error(new BodyTooLarge('Body too large'));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Request(url, {
    method: request.method,
    headers: request.headers,
    body,
    signal: request.signal,
    duplex: 'half',
  } as RequestInit & { duplex: 'half' });
}

/** What a request with too much in it is answered. */
export function tooLarge(): Response {
  return Response.json(
    { code: 'PAYLOAD_TOO_LARGE', error: 'Payload too large', message: 'Payload too large' },
    { status: 413 },
  );
}
