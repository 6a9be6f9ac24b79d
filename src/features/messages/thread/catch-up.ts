import { classifyError } from '#lib/classify-error.ts';
import { retryLater } from '#lib/live.ts';

/** `changes`: messages since the known revision. `all`: also who takes part. */
type Scope = 'changes' | 'all';

interface CatchUpDeps {
  fetchChanges(): Promise<void>;
  fetchAll(): Promise<void>;
  signedOut(): void;
  /** The person takes no part in the conversation any more. */
  onNotFound(): void;
}

/** Fetches what the live connection missed, one request at a time, and retries until it succeeds. */
export function createCatchUp(deps: CatchUpDeps) {
  let requested: Scope | null = null;
  let isRunning = false;
  let isClosed = false;
  let tries = 0;
  let cancel = () => {};

  const addScope = (scope: Scope) => {
    requested = requested === 'all' ? 'all' : scope;
  };

  /** Fetches now, or after the request that is running. */
  function request(scope: Scope) {
    if (isClosed) return;
    cancel();
    addScope(scope);
    if (!isRunning) void run();
  }

  /** Fetches after a while if it's still needed then. */
  function requestLater(scope: Scope, milliseconds: number, isNeeded: () => boolean) {
    if (isClosed) return;
    if (isRunning) return addScope(scope);
    cancel();
    const timer = setTimeout(() => isNeeded() && request(scope), milliseconds);
    cancel = () => clearTimeout(timer);
  }

  async function run() {
    isRunning = true;
    for (let scope = requested; scope && !isClosed; scope = requested) {
      requested = null;
      try {
        await (scope === 'all' ? deps.fetchAll() : deps.fetchChanges());
        tries = 0;
      } catch (thrown) {
        handleError(scope, thrown);
        break;
      }
    }
    isRunning = false;
  }

  function handleError(scope: Scope, thrown: unknown) {
    const { kind } = classifyError(thrown);
    if (kind === 'not-found') return deps.onNotFound();
    if (isClosed) return;
    addScope(scope);
    // With the session the live connection comes back, which requests it again.
    if (kind === 'signed-out') return deps.signedOut();
    cancel = retryLater(tries, () => request(scope));
    tries += 1;
  }

  const close = () => {
    isClosed = true;
    cancel();
  };
  return { request, requestLater, close };
}
