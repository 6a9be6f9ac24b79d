/** What could not reach the server goes on by itself. */
import { $session } from './session.ts';

/**
 * Calls when the connection is back, and when somebody has signed in again, until the function it
 * gives is called.
 */
export function whenBack(again: () => void): () => void {
  const came = () => again();
  const stop = $session.listen(({ state }) => state === 'signed-in' && again());
  addEventListener('online', came);
  return () => {
    stop();
    removeEventListener('online', came);
  };
}
