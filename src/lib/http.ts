/**
 * HTTP: `patientFetch`, which we pass to supabase-js as its `fetch`, and `http`, which sends JSON
 * with it to everything else. No other code calls `fetch`.
 */
import { ANSWER_WITHIN_MS } from './answer-within.ts';

/** The type of `fetch`, for code that's handed one. */
export type Fetch = typeof fetch;

/** The most times a request is sent, including the first. */
export const ATTEMPTS = 3;

/** Statuses that mean "try again later," whatever the request was. */
const TEMPORARY = new Set([408, 425, 502, 503, 504]);

/** Retry such a response only this soon (ms): a slower server has waited long enough itself. */
const RETRY_WITHIN = 3_000;

/**
 * Whether a request may be sent again when we don't know if it succeeded. Reads may. So may rows
 * and procedures, because the sender generates the id of whatever it creates. Passwords, codes,
 * emails, files and functions may not.
 */
export function isRepeatable(method: string, url: string, headers?: Headers): boolean {
  const verb = method.toUpperCase();
  if (verb === 'GET' || verb === 'HEAD') return true;
  const path = new URL(url, 'http://localhost').pathname;
  const at = path.indexOf('/rest/v1/');
  if (at === -1) return false;
  const target = path.slice(at + '/rest/v1/'.length);
  if (target.startsWith('rpc/')) return true;
  if (verb === 'POST') return /resolution=/.test(headers?.get('prefer') ?? '');
  return verb === 'PATCH' || verb === 'PUT' || verb === 'DELETE';
}

export interface PatientOptions {
  fetch?: Fetch | undefined;
  /** The time limit for all attempts together, in milliseconds; none by default. */
  timeout?: number;
  /** Aborts every request in flight. */
  signal?: AbortSignal;
  /** How long to wait before attempt 2, 3 …, in milliseconds. */
  delay?: (attempt: number) => number;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });

/** auth-js would end the session if a refresh returned 500 or 429, as some servers do. */
const isRefresh = (url: string) => url.includes('/auth/v1/token?grant_type=refresh_token');

function asTemporary(answer: Response): Response {
  if (answer.status !== 429 && answer.status < 500) return answer;
  return new Response(answer.body, { status: 503, headers: answer.headers });
}

/**
 * Creates a `fetch` that sends a request up to three times where repeating it is safe. It stops
 * once the caller aborts or time runs out. Throws the error of the last attempt.
 */
export function patientFetch(options: PatientOptions = {}): Fetch {
  const delay = options.delay ?? ((attempt: number) => 150 * 2 ** attempt + Math.random() * 100);

  return async (input, init) => {
    const send = options.fetch ?? globalThis.fetch;
    const request = input instanceof Request ? input : null;
    const url = request ? request.url : String(input);
    const method = init?.method ?? request?.method ?? 'GET';
    const headers = new Headers(init?.headers ?? request?.headers);
    const most = isRepeatable(method, url, headers) ? ATTEMPTS : 1;
    const limit = options.timeout === undefined ? null : AbortSignal.timeout(options.timeout);
    const signal = AbortSignal.any(
      [init?.signal, request?.signal, options.signal, limit].filter(
        (each) => each !== null && each !== undefined,
      ),
    );

    const begun = performance.now();
    const isLate = () => performance.now() - begun > RETRY_WITHIN;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await send(request ? request.clone() : input, { ...init, signal });
        if (attempt >= most || !TEMPORARY.has(answer.status) || isLate()) {
          return isRefresh(url) ? asTemporary(answer) : answer;
        }
        await answer.body?.cancel();
      } catch (error) {
        if (signal.aborted || attempt >= most) throw error;
      }
      await pause(delay(attempt), signal);
    }
  };
}

/** A response that says no. */
export class HttpError extends Error {
  readonly status: number;
  /** The JSON it came with; undefined if there's none. */
  readonly data: unknown;

  constructor(status: number, data: unknown) {
    super(`The server responded with status ${status}`);
    this.name = 'HttpError';
    this.status = status;
    this.data = data;
  }
}

interface HttpOptions extends Pick<RequestInit, 'method' | 'headers' | 'cache'> {
  /** Sent as JSON. */
  body?: unknown;
}

/** Undefined if it isn't JSON: an empty response, or the HTML that some servers send for any URL. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a request for JSON and returns it; undefined if the response isn't JSON. It's sent again
 * like `patientFetch` does, and the time limit covers all attempts.
 * @throws HttpError if the server refuses, or what `fetch` throws if there's no response
 */
export async function http(url: string, { body, ...init }: HttpOptions = {}): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  const send = patientFetch({ timeout: ANSWER_WITHIN_MS });
  const answer = await send(url, {
    ...init,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const data = parsed(await answer.text());
  if (!answer.ok) throw new HttpError(answer.status, data);
  return data;
}
