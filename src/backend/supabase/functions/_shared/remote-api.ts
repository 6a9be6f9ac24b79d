/** Requests to another system's REST API: one after another, with its limits, and errors in words. */
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';

/** How long a request sits out when the other system asks us to wait, in s. */
const LONGEST_WAIT = 10;

/** Why the other system didn't do something. */
export class RemoteError extends Error {
  /**
   * `refused`: what we sent is wrong. `gone`: there's no such thing. `token`: our token isn't
   * accepted. `busy`: wait `after` seconds. `away`: no answer, so it may or may not have been done.
   */
  readonly why: 'refused' | 'gone' | 'token' | 'busy' | 'away';
  readonly after: number;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;

  constructor(
    why: RemoteError['why'],
    message: string,
    more: { after?: number; status?: number } = {},
  ) {
    super(message);
    this.why = why;
    this.after = more.after ?? 0;
    this.status = more.status ?? null;
  }
}

interface RemoteOptions {
  /** What people call it: "HubSpot". */
  name: string;
  /** The address that paths are added to. */
  base: string;
  token: string;
  signal: AbortSignal;
  /** Timeout of a request, in ms. */
  timeLimit: number;
  /** The statuses that mean that the token isn't accepted. */
  denials: readonly number[];
  /** What a refusal says. Only shown to admins: it may name a value that was sent. */
  messageOf: (body: unknown) => string | null;
  /** After an answer, how long the next request should wait, in ms. */
  paceOf?: (headers: Headers) => number;
  /** The first pause after a 429 without Retry-After, in ms; it doubles each time. */
  backoff?: number;
}

/**
 * One request. A body is sent as JSON, or as a form if it's URLSearchParams.
 * @throws RemoteError
 */
export type AskRemote = <Expected extends v.GenericSchema>(
  schema: Expected,
  method: string,
  path: string,
  body?: unknown,
) => Promise<v.InferOutput<Expected>>;

/** Sends requests one after another, as fast as the other system allows. */
export function createRemoteApi(options: RemoteOptions): AskRemote {
  const { name, base, token, signal, timeLimit, paceOf, backoff = 1_000 } = options;
  const root = base.replace(/\/+$/, '');
  let freeAt = 0;

  async function once(method: string, path: string, body: unknown): Promise<Response> {
    const early = freeAt - Date.now();
    if (early > 0) await wait(early, undefined, { signal });
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(root + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]),
    });
    const pace = paceOf?.(response.headers) ?? 0;
    if (pace > 0) freeAt = Date.now() + Math.min(pace, LONGEST_WAIT * 1_000);
    return response;
  }

  return async function ask(schema, method, path, body) {
    let pause = backoff;
    for (let waited = 0; ; ) {
      let response: Response;
      let text: string;
      try {
        response = await once(method, path, body);
        text = await response.text();
      } catch (error) {
        if (signal.aborted) throw error;
        throw new RemoteError('away', `${name} didn’t answer.`);
      }
      if (response.ok) return parsed(schema, text, name);
      const error = errorOf(response, text, options);
      // Without a time, each pause is twice the one before. Being asked to come back at once counts
      // as a second, so that it ends.
      const after = error.after || (hasTime(response) ? 0 : pause / 1_000);
      pause *= 2;
      waited += Math.max(after, 1);
      if (error.why !== 'busy' || waited > LONGEST_WAIT) throw error;
      freeAt = Date.now() + after * 1_000;
    }
  };
}

function parsed<Expected extends v.GenericSchema>(
  schema: Expected,
  text: string,
  name: string,
): v.InferOutput<Expected> {
  const read = v.safeParse(schema, text === '' ? undefined : jsonOf(text));
  if (read.success) return read.output;
  // It's been done, and read back before it's sent again.
  throw new RemoteError('away', `${name}’s answer had another form than its documentation says.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How long a 429 asks us to wait, in s; null if it doesn't say. */
function timeOf({ headers }: Response): number | null {
  const given = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(given) ? Math.max(given, 0) : null;
}
const hasTime = (response: Response) => timeOf(response) !== null;

function errorOf(
  response: Response,
  text: string,
  { name, denials, messageOf }: RemoteOptions,
): RemoteError {
  const { status } = response;
  const message = messageOf(jsonOf(text)) ?? `${name} answered ${status}.`;
  if (denials.includes(status)) return new RemoteError('token', message, { status });
  if (status === 404) return new RemoteError('gone', message, { status });
  if (status === 429) {
    const after = timeOf(response) ?? 0;
    return new RemoteError('busy', `${name} asks us to wait.`, { status, after });
  }
  if (status >= 500) return new RemoteError('away', `${name} answered ${status}.`, { status });
  return new RemoteError('refused', message, { status });
}

/** What went wrong, for the log too: what a refusal says may name a person, so it's left out. */
export function sentenceOf(error: RemoteError, name: string, setting: string): string {
  if (error.why === 'token') return `${name} doesn’t accept ${setting}: ${error.message}`;
  return ['refused', 'gone'].includes(error.why) ? `${name} refused a request.` : error.message;
}
