import { AppError, toAppError } from '#lib/errors.ts';
import { hasSessionCookie } from '#lib/session-cookie.ts';

/** What went wrong; a visitor who is refused is somebody whose session is over. */
export function failureOf(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const inBrowser = typeof document !== 'undefined';
  if (inBrowser && error.kind === 'denied' && !hasSessionCookie(document.cookie)) {
    return new AppError('signed-out', undefined, { cause: thrown });
  }
  return error;
}
