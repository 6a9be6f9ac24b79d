import { isUpload, LARGEST_UPLOAD } from '../storage/storage.ts';
import { badRequest, tooLarge, tooSlow } from './errors.ts';
import { withTimeout } from './timeout.ts';

/** How long a request body may take to arrive, or each chunk of a file, in ms. */
export const BODY_TIMEOUT = 30_000;

const KB = 1024;
/** Most levels of nested JSON arrays and objects; real data has a handful. */
const DEEPEST_JSON = 64;

/** The largest request body that a service accepts, in bytes. */
export function bodyLimit(service: string, path: string, method: string): number {
  if (service === 'auth') return 64 * KB;
  if (service === 'functions') return 256 * KB;
  // A multipart upload has boundaries and fields in addition to the file.
  if (service === 'storage' && isUpload(path, method)) return LARGEST_UPLOAD + 64 * KB;
  return 2 * KB * KB;
}

/**
 * @throws {RequestError} for a URL with a NUL character, which PostgreSQL can't store, or with
 * bytes that aren't UTF-8.
 */
export function checkAddress({ pathname, search }: URL): void {
  if (/%00/.test(pathname + search)) throw badRequest('The address has a NUL character');
  try {
    decodeURIComponent(pathname);
  } catch {
    throw badRequest('The address isn’t UTF-8');
  }
}

/** How long a body may take, in ms: altogether or, for a file, from one chunk to the next. */
interface BodyTime {
  ms: number;
  for: 'whole' | 'each part';
  /** Called once the whole body has been read. */
  whole: () => void;
}

/**
 * Copies a request with another URL. Its body fails once it's longer than `limit` (bytes) or takes
 * longer than `time`.
 */
export function limitBody(request: Request, url: URL, limit: number, time: BodyTime): Request {
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

/** A request whose body has been read to the end, so that no body breaks off inside a service. */
interface ReadRequest {
  text: string;
  /** Copies the request with another URL and its body. */
  copy: () => Request;
}

/**
 * Reads a request's body.
 * @param url of its copy
 * @param known the body's text, if it was handed over
 * @throws {RequestError} if the body is larger than `limit` (bytes) or takes longer than `time`, if
 * its JSON is nested too deep, or if it contains file `names` and a NUL character.
 */
export async function readBody(
  request: Request,
  url: URL,
  limit: number,
  time: BodyTime,
  names: boolean,
  known?: string,
): Promise<ReadRequest> {
  const body = known ?? (await bytesOf(request, url, limit, time));
  time.whole();
  if (Buffer.byteLength(body) > limit) throw tooLarge();
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  if (/^\s*[[{]/.test(text)) {
    if (depthOfJson(text) > DEEPEST_JSON) throw badRequest('The JSON is nested too deep');
    if (names && text.includes('\\u0000')) throw badRequest('A name has a NUL character');
  }
  return { text, copy: () => withBody(request, url, text === '' ? undefined : body) };
}

async function bytesOf(
  request: Request,
  url: URL,
  limit: number,
  time: BodyTime,
): Promise<ArrayBuffer> {
  const isMeasured = request.headers.has('content-length');
  // A length that's known was checked. Such a body isn't read through a stream, which takes longer
  // than all else that happens to a request here.
  return isMeasured
    ? withTimeout(request.arrayBuffer(), { ms: time.ms, error: tooSlow })
    : limitBody(request, url, limit, time).arrayBuffer();
}

// Not `new Request(url, request)`: @hono/node-server's own Request class can't be copied that way.
function withBody(
  { method, headers, signal }: Request,
  url: URL,
  body: ReadableStream | ArrayBuffer | string | undefined,
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
