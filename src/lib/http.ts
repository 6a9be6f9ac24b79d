/**
 * The two ways to HTTP: `http` for everything that is not Supabase, and `patientFetch`, which
 * supabase-js is given as its `fetch`. Nothing else in the application calls `fetch`.
 */
import { ofetch } from 'ofetch';
import { ANSWER_WITHIN_MS } from './answer-within.ts';

/**
 * HTTP for everything that is not Supabase. ofetch repeats a GET once, and a POST, PUT, PATCH or
 * DELETE not at all, on 408, 409, 425, 429, 500, 502, 503 and 504. All of it ends with its time.
 */
export const http = ofetch.create({
  onRequest({ options }) {
    options.signal ??= AbortSignal.timeout(ANSWER_WITHIN_MS);
  },
});

type Fetch = typeof fetch;

/** How often a request is sent at most, including the first time. */
export const ATTEMPTS = 3;

/** Statuses that mean "try again later" and say nothing about the request itself. */
const TEMPORARY = new Set([408, 425, 502, 503, 504]);

/** Milliseconds within which such a response is retried; after that, the server has waited long enough itself. */
const RETRY_WITHIN = 3_000;

/**
 * Whether a request may be sent again when its outcome is unknown.
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
  if (target.startsWith('rpc/')) return true;
  if (verb === 'POST') return /resolution=/.test(headers?.get('prefer') ?? '');
  return verb === 'PATCH' || verb === 'PUT' || verb === 'DELETE';
}

interface PatientOptions {
  fetch?: Fetch;
  /** How long all attempts together may take, in milliseconds; no limit where it is left out. */
  timeout?: number;
  /** How long a download may pause, in milliseconds; as a whole it may take long. */
  silence?: number;
  /** Aborts every request that is under way. */
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

/** Some servers answer the refresh of a session with 500 or 429, which auth-js treats as its end. */
const isRefresh = (url: string) => url.includes('/auth/v1/token?grant_type=refresh_token');

function asTemporary(answer: Response): Response {
  if (answer.status !== 429 && answer.status < 500) return answer;
  return new Response(answer.body, { status: 503, headers: answer.headers });
}

/** A signal that aborts after some time without data; `restart` begins that time again. */
export function limitSilence(milliseconds: number): {
  signal: AbortSignal;
  restart: () => void;
  stop: () => void;
} {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(
      () => controller.abort(new DOMException('No data was received', 'TimeoutError')),
      milliseconds,
    );
  };
  restart();
  return { signal: controller.signal, restart, stop };
}

/** Whether a request downloads a stored file, which may take long on a slow line. */
const isDownload = (method: string, url: string) =>
  method === 'GET' && url.includes('/storage/v1/object/');

/** Gives the same response; each chunk of its body restarts the time limit. */
function limitBodySilence(answer: Response, silence: ReturnType<typeof limitSilence>): Response {
  silence.restart();
  if (!answer.body) {
    silence.stop();
    return answer;
  }
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      silence.restart();
      controller.enqueue(part);
    },
    flush: silence.stop,
  });
  return new Response(answer.body.pipeThrough(parts), answer);
}

/**
 * Makes a `fetch` that sends a failed request up to three times in all where that is safe, and never
 * again once its caller has aborted it or its time is up. Throws what the last attempt threw.
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
    const download = options.silence !== undefined && isDownload(method, url);
    const silence = download ? limitSilence(options.silence ?? 0) : null;
    const limit =
      download || options.timeout === undefined ? null : AbortSignal.timeout(options.timeout);
    const signal = AbortSignal.any(
      [init?.signal, request?.signal, options.signal, limit, silence?.signal].filter(
        (each) => each !== null && each !== undefined,
      ),
    );

    const begun = performance.now();
    const isLate = () => performance.now() - begun > RETRY_WITHIN;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await send(request ? request.clone() : input, { ...init, signal });
        if (attempt >= most || !TEMPORARY.has(answer.status) || isLate()) {
          if (silence) return limitBodySilence(answer, silence);
          return isRefresh(url) ? asTemporary(answer) : answer;
        }
        await answer.body?.cancel();
      } catch (error) {
        if (signal.aborted || attempt >= most) {
          silence?.stop();
          throw error;
        }
      }
      await pause(delay(attempt), signal);
    }
  };
}
