import { useEffect, useRef } from 'react';
import type { AppError } from '#lib/errors.ts';
import { $session } from '#stores/session.ts';

/**
 * Sends by itself what failed for want of a connection or a session, once that is back.
 * @param failure what failed; null while nothing did
 */
export function useSendAgain(failure: AppError | null, send: () => void): void {
  const latest = useRef(send);
  latest.current = send;
  const kind = failure?.kind;
  useEffect(() => {
    if (kind === 'network') {
      const again = () => latest.current();
      addEventListener('online', again);
      return () => removeEventListener('online', again);
    }
    if (kind === 'signed-out') {
      return $session.listen(({ state }) => state === 'signed-in' && latest.current());
    }
    return undefined;
  }, [kind]);
}

/** What is said beside a form that could not be sent. */
export function notSentWords(error: AppError): string {
  if (error.kind === 'network') {
    return 'There is no connection. What you wrote is still here, and is sent when it is back.';
  }
  if (error.kind === 'signed-out') {
    return 'You have been signed out. What you wrote is still here, and is sent when you are back.';
  }
  return error.message;
}
