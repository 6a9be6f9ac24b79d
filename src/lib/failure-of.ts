import { AppError, toAppError } from './errors.ts';
import { hasSessionCookie } from './session-cookie.ts';

/**
 * The AppError of what was thrown, for stores and screens of people who are signed in. Whoever was signed out in another tab asks as a visitor and is
 * refused like one: that is an ended session, and not something that they may not do. Pages that
 * visitors use as well (signing in, the survey) say `toAppError`.
 */
export function failureOf(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const inBrowser = typeof document !== 'undefined';
  if (inBrowser && error.kind === 'denied' && !hasSessionCookie(document.cookie)) {
    return new AppError('signed-out', undefined, { cause: thrown });
  }
  return error;
}

/** What hears of failures for a store: the AppError of each, and an ended session is told to the page. */
export function heardBy(deps: { signedOut: () => void }): (thrown: unknown) => AppError {
  return (thrown) => {
    const error = failureOf(thrown);
    if (error.kind === 'signed-out') deps.signedOut();
    return error;
  };
}
