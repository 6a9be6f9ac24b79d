import { AppError, toAppError } from './errors.ts';
import { hasSessionCookie } from './session-cookie.ts';

/**
 * The AppError of what was thrown. Whoever was signed out in another tab asks as a visitor and is
 * refused like one: that is an ended session, and not something that they may not do.
 */
export function failureOf(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const inBrowser = typeof document !== 'undefined';
  if (inBrowser && error.kind === 'denied' && !hasSessionCookie(document.cookie)) {
    return new AppError('signed-out', undefined, { cause: thrown });
  }
  return error;
}
