/**
 * One error type for the whole application. `data/` throws it and stores show it. `message` is
 * always our own sentence that tells a person what to do, never the text of a driver.
 */

import { AppError, type AppErrorOptions, type ErrorKind, SENTENCES } from './app-error.ts';

export { AppError, type ErrorKind, SENTENCES } from './app-error.ts';

/** Replaces the `network` message when the server responded but the database is down. */
const AWAY = 'We can’t reach our database right now. Wait a minute and try again.';

/**
 * SQLSTATEs that our procedures raise with our own message, and those that PostgreSQL and PostgREST
 * raise themselves. https://www.postgresql.org/docs/18/errcodes-appendix.html,
 * https://docs.postgrest.org/en/v13/references/errors.html
 */
const SQL_KINDS: Record<string, ErrorKind> = {
  '22023': 'invalid',
  '22P02': 'invalid',
  '22001': 'invalid',
  '22003': 'invalid',
  '23502': 'invalid',
  '23503': 'invalid',
  '23514': 'invalid',
  '23505': 'conflict',
  '40001': 'conflict',
  '40P01': 'conflict',
  '55000': 'conflict',
  '55P03': 'conflict',
  '42501': 'denied',
  P0002: 'not-found',
  PGRST116: 'not-found',
  // PostgREST maps PTnnn to the HTTP status nnn.
  PT401: 'signed-out',
  PT429: 'rate-limited',
  PGRST301: 'signed-out',
  PGRST302: 'signed-out',
  PGRST303: 'signed-out',
  '57014': 'network',
};

/** Codes that our procedures raise with a message meant for a person. */
const SPOKEN = new Set(['22023', '42501', 'P0002', '23505', '55000', 'PT429']);
/** Matches messages that PostgreSQL itself raises with the same codes. */
const MACHINE_TALK =
  /violates|permission denied|row-level security|duplicate key|does not exist|syntax|invalid input|current transaction|function |relation |column |(?<!you )cannot |must be owner/i;

const SIGNED_OUT = { kind: 'signed-out', message: SENTENCES['signed-out'] } as const;

/**
 * Codes of the auth service that any call can end with; auth-errors.ts has those of signing in.
 * https://supabase.com/docs/guides/auth/debugging/error-codes
 */
const AUTH_KINDS: Record<string, { kind: ErrorKind; message: string }> = {
  session_not_found: SIGNED_OUT,
  session_expired: SIGNED_OUT,
  refresh_token_not_found: SIGNED_OUT,
  refresh_token_already_used: SIGNED_OUT,
  bad_jwt: SIGNED_OUT,
  no_authorization: SIGNED_OUT,
  user_not_found: SIGNED_OUT,
  insufficient_aal: {
    kind: 'denied',
    message: 'Enter the code from your authenticator app first.',
  },
};

/** disk_full: nothing can be saved until the operator frees up space. */
const OUT_OF_SPACE =
  'Our server is out of space and can’t save anything. Keep this page open and try again later.';
/** PostgreSQL's code for a full disk. */
export const DISK_FULL = '53100';
const isOutOfSpace = (code: string | undefined, status: number) =>
  code === DISK_FULL || status === 507;

type Loose = Partial<
  Record<'name' | 'code' | 'status' | 'message' | 'hint' | 'details' | 'statusCode', unknown>
>;

/** SQLSTATEs of a database that accepts no connections. */
const AWAY_CODES = new Set(['53300', '57P01', '57P02', '57P03']);

/** The error kind for each HTTP status; 0 means no response. */
const STATUS_KINDS: Record<number, ErrorKind> = {
  0: 'network',
  400: 'invalid',
  401: 'signed-out',
  403: 'denied',
  404: 'not-found',
  406: 'not-found',
  408: 'network',
  409: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'rate-limited',
  502: 'network',
  503: 'network',
  504: 'network',
};

const NETWORK_WORDS =
  /failed to fetch|fetch failed|networkerror|load failed|network request failed|dynamically imported module|socket|econnre/i;

/** A network failure has no code or status, and each browser words the message differently. */
const isNetwork = (error: Loose) =>
  error.name === 'AuthRetryableFetchError' ||
  error.name === 'AbortError' ||
  error.name === 'TimeoutError' ||
  (!error.code && typeof error.message === 'string' && NETWORK_WORDS.test(error.message));

/**
 * Converts anything a call threw or returned as an error (PostgREST, auth, storage, fetch) to an
 * AppError. `status` is the response's, for errors that don't carry one themselves.
 */
export function toAppError(thrown: unknown, status?: number): AppError {
  if (thrown instanceof AppError) return thrown;
  if (typeof thrown !== 'object' || thrown === null) {
    return new AppError('unexpected', undefined, { cause: thrown });
  }
  const error = thrown as Loose;
  const code = typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
  const options: AppErrorOptions = { cause: thrown };
  if (code !== undefined) options.code = code;

  const given = Number(error.status ?? error.statusCode ?? status);
  if (isOutOfSpace(code, given)) return new AppError('network', OUT_OF_SPACE, options);
  if (given === 503 || AWAY_CODES.has(code ?? '')) return new AppError('network', AWAY, options);
  if (isNetwork(error)) return new AppError('network', undefined, options);
  if (error.name === 'AuthSessionMissingError') {
    return new AppError('signed-out', undefined, options);
  }
  const auth = code === undefined ? undefined : AUTH_KINDS[code];
  if (auth) return new AppError(auth.kind, auth.message, options);
  const sqlKind = code === undefined ? undefined : SQL_KINDS[code];
  if (code !== undefined && sqlKind) {
    const text = typeof error.message === 'string' ? error.message.trim() : '';
    const spoken = SPOKEN.has(code) && text !== '' && !MACHINE_TALK.test(text);
    if (typeof error.hint === 'string' && /^[a-z_]{1,40}$/.test(error.hint)) {
      options.field = error.hint;
    }
    // Our own rate limits put the seconds to wait in `details`.
    if (code === 'PT429' && typeof error.details === 'string' && /^\d{1,6}$/.test(error.details)) {
      options.retryAfter = Number(error.details);
    }
    return new AppError(sqlKind, spoken ? text : undefined, options);
  }
  return new AppError(STATUS_KINDS[given] ?? 'unexpected', undefined, options);
}

/** Throws an AppError if a supabase-js call failed. */
export function settle(answer: { error: unknown; status?: number }): void {
  if (answer.error) throw toAppError(answer.error, answer.status);
}

/** Returns the data of a supabase-js call, or throws an AppError if it failed or has none. */
export function dataOf<T>(answer: { data: T; error: unknown; status?: number }): NonNullable<T> {
  settle(answer);
  if (answer.data === null || answer.data === undefined) throw new AppError('not-found');
  return answer.data;
}
