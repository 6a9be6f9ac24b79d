/** Retries what failed without a connection or a session, once that is back. */
import { $session } from './session.ts';

/** Calls back when the person has signed in, on this page or in another tab. Gives the cleanup. */
export function whenSignedIn(again: () => void): () => void {
  return $session.listen((now, before) => {
    // What the navigation shows of a person changes as well, and is no reason.
    if (now.state === 'signed-in' && before?.state !== 'signed-in') again();
  });
}

/** Calls back when the connection is back, and when the person has signed in. Gives the cleanup. */
export function whenBack(again: () => void): () => void {
  const stop = whenSignedIn(again);
  const listening = new AbortController();
  addEventListener('online', () => again(), listening);
  return () => {
    stop();
    listening.abort();
  };
}
