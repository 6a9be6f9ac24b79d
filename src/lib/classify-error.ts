import { AppError, toAppError } from './errors.ts';
import { hasSessionCookie } from './session-cookie.ts';

/**
 * Gives the AppError of what was thrown, for stores and screens of signed-in people. After signing
 * out in another tab, a request goes out as a visitor's and is denied like one: that counts as
 * `signed-out`. Pages that visitors use as well (signing in, the survey) call `toAppError`.
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
 * Makes the error handler of a store: it gives the AppError of what was thrown, and calls
 * `signedOut` first when the session is over.
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
