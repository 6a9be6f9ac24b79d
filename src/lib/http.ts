/**
 * The two doors to HTTP: `http` for everything that is not Supabase, and `patientFetch`, which
 * supabase-js is given as its `fetch`. Nothing else in the application calls `fetch`.
 */
import { ofetch } from 'ofetch';

/**
 * HTTP for everything that is not Supabase. ofetch repeats a GET once, and a POST, PUT, PATCH or
 * DELETE not at all, on 408, 409, 425, 429, 500, 502, 503 and 504.
 */
export const http = ofetch;

type Fetch = typeof fetch;

/** How often one request is sent at most, the first time included. */
export const ATTEMPTS = 3;

/** Answers that say "not now" and nothing about the request itself. */
const PASSING = new Set([408, 425, 502, 503, 504]);

/** Procedures that must not run twice, should one ever be written that way. */
const ONCE_ONLY = new Set<string>();

/**
 * Whether a request may be sent again when nobody knows what became of it.
 * Reading may. Rows and procedures may, because whatever a person creates carries an id made by the
 * sender. A password, a code, a mail, a file and a function may not.
 */
export function isRepeatable(method: string, url: string, headers?: Headers): boolean {
  const verb = method.toUpperCase();
  if (verb === 'GET' || verb === 'HEAD') return true;
  const path = new URL(url, 'http://localhost').pathname;
  const at = path.indexOf('/rest/v1/');
  if (at === -1) return false;
  const target = path.slice(at + '/rest/v1/'.length);
  if (target.startsWith('rpc/')) return !ONCE_ONLY.has(target.slice('rpc/'.length));
  if (verb === 'POST') return /resolution=/.test(headers?.get('prefer') ?? '');
  return verb === 'PATCH' || verb === 'PUT' || verb === 'DELETE';
}

interface PatientOptions {
  fetch?: Fetch;
  attempts?: number;
  /** How long one attempt may take, in milliseconds; no limit where it is left out. */
  timeout?: number;
  /** How long to wait before attempt 2, 3 …, in milliseconds. */
  delay?: (attempt: number) => number;
}

const pause = (ms: number, signal?: AbortSignal | null) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });

/** Some servers answer the refresh of a session with 500 or 429, which auth-js takes for its end. */
const isRefresh = (url: string) => url.includes('/auth/v1/token?grant_type=refresh_token');

function notTheEnd(answer: Response): Response {
  if (answer.status !== 429 && answer.status < 500) return answer;
  return new Response(answer.body, { status: 503, headers: answer.headers });
}

/**
 * Makes a `fetch` that sends a failed request up to three times in all where that is safe, and never
 * again once its caller has aborted it. Throws what the last attempt threw.
 */
export function patientFetch(options: PatientOptions = {}): Fetch {
  const attempts = options.attempts ?? ATTEMPTS;
  const delay = options.delay ?? ((attempt: number) => 150 * 2 ** attempt + Math.random() * 100);

  return async (input, init) => {
    const send = options.fetch ?? globalThis.fetch;
    const request = input instanceof Request ? input : null;
    const url = request ? request.url : String(input);
    const method = init?.method ?? request?.method ?? 'GET';
    const signal = init?.signal ?? request?.signal ?? null;
    const headers = new Headers(init?.headers ?? request?.headers);
    const most = isRepeatable(method, url, headers) ? attempts : 1;

    for (let attempt = 1; ; attempt += 1) {
      const limit = options.timeout === undefined ? null : AbortSignal.timeout(options.timeout);
      const signals = [signal, limit].filter((one) => one !== null);
      try {
        const answer = await send(request ? request.clone() : input, {
          ...init,
          ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
        });
        if (attempt >= most || !PASSING.has(answer.status)) {
          return isRefresh(url) ? notTheEnd(answer) : answer;
        }
        await answer.body?.cancel();
      } catch (error) {
        if (signal?.aborted || attempt >= most) throw error;
      }
      await pause(delay(attempt), signal);
    }
  };
}
