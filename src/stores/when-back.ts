/** What failed for want of a connection or a session is tried again when that is back. */
import { $session } from './session.ts';

/** Calls back when somebody has signed in, over this page or in another tab. Gives the end of it. */
export function whenSignedIn(again: () => void): () => void {
  return $session.listen((now, before) => {
    // What the navigation shows of a person changes as well, and is no reason.
    if (now.state === 'signed-in' && before?.state !== 'signed-in') again();
  });
}

/** Calls back when the connection is back, and when somebody has signed in. Gives the end of it. */
export function whenBack(again: () => void): () => void {
  const online = () => again();
  const stop = whenSignedIn(again);
  addEventListener('online', online);
  return () => {
    stop();
    removeEventListener('online', online);
  };
}
