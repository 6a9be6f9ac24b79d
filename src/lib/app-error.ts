/**
 * The error that the whole application throws and shows, apart from `errors.ts`, which converts
 * others to it: a page that only waits for a script or a setting doesn't load those tables.
 */

export type ErrorKind =
  | 'network'
  | 'denied'
  | 'invalid'
  | 'not-found'
  | 'conflict'
  | 'rate-limited'
  | 'signed-out'
  | 'unexpected';

/** The default message of each kind, for when we know nothing more specific. */
export const SENTENCES: Record<ErrorKind, string> = {
  network: 'We couldn’t reach the server. Check your connection and try again.',
  denied: 'You don’t have permission to do this. If you think you should, write to us.',
  invalid: 'Something you entered isn’t right. Check it and try again.',
  'not-found': 'This isn’t here anymore. Go back and open it again from the list.',
  conflict: 'Someone changed this while you were away. Reload the page to see the latest.',
  'rate-limited': 'Too many attempts. Wait a minute and try again.',
  'signed-out': 'You’ve been signed out. Sign in again to continue; nothing you typed is lost.',
  unexpected:
    'Something went wrong on our end. Try again. If it keeps happening, tell us what you were doing.',
};

const STATUS: Record<ErrorKind, number> = {
  network: 503,
  denied: 403,
  invalid: 422,
  'not-found': 404,
  conflict: 409,
  'rate-limited': 429,
  'signed-out': 401,
  unexpected: 500,
};

export interface AppErrorOptions {
  /** The name of the form field that the message belongs to. */
  field?: string;
  /** The backend's error code, for callers that must tell two causes apart. */
  code?: string;
  /** Seconds to wait before trying again. */
  retryAfter?: number;
  cause?: unknown;
}

/** An error with a kind, a message for a person and, if known, the form field it belongs to. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly field: string | undefined;
  readonly code: string | undefined;
  /** Seconds to wait before retrying, if the backend said so. */
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, message: string = SENTENCES[kind], options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.field = options.field;
    this.code = options.code;
    this.retryAfter = options.retryAfter;
  }

  /** The HTTP status of a page that fails with this kind. */
  get status(): number {
    return STATUS[this.kind];
  }
}
