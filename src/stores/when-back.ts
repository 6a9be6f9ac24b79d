/** Retries what failed for lack of a connection or a session. */
import { $session } from './session.ts';

/** Calls back when the person signs in, here or in another tab. Returns the cleanup. */
export function whenSignedIn(again: () => void): () => void {
  return $session.listen((now, before) => {
    // Ignore changes of the person's data while they stay signed in.
    if (now.state === 'signed-in' && before?.state !== 'signed-in') again();
  });
}

/** Calls back when the connection returns or the person signs in. Returns the cleanup. */
export function whenBack(again: () => void): () => void {
  const stop = whenSignedIn(again);
  const listening = new AbortController();
  addEventListener('online', () => again(), listening);
  return () => {
    stop();
    listening.abort();
  };
}
