import { AppError, toAppError } from './errors.ts';
import { hasSessionCookie } from './session-cookie.ts';

/**
 * Converts a thrown value to an AppError, for stores and screens of signed-in people. After they
 * sign out in another tab, requests go out as a visitor's and are denied: that counts as
 * `signed-out`. Pages that visitors use too (sign-in, the survey) call `toAppError` instead.
 */
export function classifyError(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const inBrowser = typeof document !== 'undefined';
  if (inBrowser && error.kind === 'denied' && !hasSessionCookie(document.cookie)) {
    return new AppError('signed-out', undefined, { cause: thrown });
  }
  return error;
}

/**
 * Creates a store's error handler: it converts a thrown value to an AppError, and calls `signedOut`
 * first if the session is over.
 */
export function createErrorReporter(deps: {
  signedOut: () => void;
}): (thrown: unknown) => AppError {
  return (thrown) => {
    const error = classifyError(thrown);
    if (error.kind === 'signed-out') deps.signedOut();
    return error;
  };
}
