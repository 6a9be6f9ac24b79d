import { isUpload, LARGEST_UPLOAD } from '../storage/storage.ts';
import { badRequest, tooLarge, tooSlow } from './errors.ts';

/** How long a body may take, or the next part of a file, in ms. */
export const BODY_TIMEOUT = 30_000;

const KB = 1024;
/** Lists and objects of JSON inside each other; what people store has a handful. */
const DEEPEST_JSON = 64;

/** The most that a request to a service may carry, in bytes. */
export function bodyLimit(service: string, path: string, method: string): number {
  if (service === 'auth') return 64 * KB;
  if (service === 'functions') return 256 * KB;
  // A multipart upload has boundaries and fields in addition to the file.
  if (service === 'storage' && isUpload(path, method)) return LARGEST_UPLOAD + 64 * KB;
  return 2 * KB * KB;
}

/**
 * @throws {RequestError} for an address with NUL, which no name in a database has, or bytes that
 * are no text.
 */
export function checkAddress({ pathname, search }: URL): void {
  if (/%00/.test(pathname + search)) throw badRequest('The address has a NUL character');
  try {
    decodeURIComponent(pathname);
  } catch {
    throw badRequest('The address isn’t UTF-8');
  }
}

/**
 * The same request under this address, whose body fails once it's longer than `limit` (bytes), or
 * takes longer than `time.ms` as a whole or, for a file, from one part to the next. `time.whole` is
 * called once all is read.
 */
export function limitBody(
  request: Request,
  url: URL,
  limit: number,
  time: { ms: number; for: 'whole' | 'each part'; whole: () => void },
): Request {
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (controller: TransformStreamDefaultController) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.error(tooSlow()), time.ms).unref();
  };
  const body = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: wait,
      transform(chunk, controller) {
        if (time.for === 'each part') wait(controller);
        size += chunk.byteLength;
        if (size > limit) controller.error(tooLarge());
        else controller.enqueue(chunk);
      },
      flush() {
        clearTimeout(timer);
        time.whole();
      },
    }),
  );
  if (!body) time.whole();
  return withBody(request, url, body);
}

/**
 * The same request with a body that was read to its end, so that none breaks off inside a service.
 * @throws {RequestError} when it's too large, for JSON nested too deep or, where its texts are
 * `names` of files, with NUL.
 */
export async function readBody(request: Request, names: boolean): Promise<Request> {
  if (!request.body) return request;
  const body = await request.arrayBuffer();
  const text = new TextDecoder().decode(body);
  if (/^\s*[[{]/.test(text)) {
    if (depthOfJson(text) > DEEPEST_JSON) throw badRequest('The JSON is nested too deep');
    if (names && text.includes('\\u0000')) throw badRequest('A name has a NUL character');
  }
  return withBody(request, new URL(request.url), body);
}

// Not `new Request(url, request)`: @hono/node-server's own kind of request can't be copied that way.
function withBody(
  { method, headers, signal }: Request,
  url: URL,
  body: ReadableStream | ArrayBuffer | undefined,
): Request {
  const copied: RequestInit = { method, headers, signal };
  return new Request(url, body ? ({ ...copied, body, duplex: 'half' } as RequestInit) : copied);
}

function depthOfJson(text: string): number {
  let [open, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted && sign === '\\') at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '[' || sign === '{')) deepest = Math.max(deepest, ++open);
    else if (!quoted && (sign === ']' || sign === '}')) open -= 1;
  }
  return deepest;
}
