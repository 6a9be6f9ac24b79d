/** Fetches what the live connection missed, one request at a time, and retries until it succeeds. */
import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';

/** `changes`: messages since the known revision. `all`: also who takes part. */
type Scope = 'changes' | 'all';

interface CatchUpDeps {
  fetchChanges(): Promise<void>;
  fetchAll(): Promise<void>;
  signedOut(): void;
  /** The person takes no part in the conversation any more. */
  onNotFound(): void;
}

/** Seconds between tries; the last one repeats. */
const RETRY_SECONDS = [1, 2, 5, 10, 30] as const;

export class CatchUp {
  readonly #deps: CatchUpDeps;
  #requested: Scope | null = null;
  #isRunning = false;
  #isClosed = false;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: CatchUpDeps) {
    this.#deps = deps;
  }

  /** Fetches now, or after the request that is running. */
  request(scope: Scope): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#addScope(scope);
    if (!this.#isRunning) void this.#run();
  }

  /** Fetches after a while if it's still needed then. */
  requestLater(scope: Scope, milliseconds: number, isNeeded: () => boolean) {
    if (this.#isClosed) return;
    if (this.#isRunning) return this.#addScope(scope);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => isNeeded() && this.request(scope), milliseconds);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #addScope(scope: Scope): void {
    this.#requested = this.#requested === 'all' ? 'all' : scope;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#requested && !this.#isClosed) {
      const scope: Scope = this.#requested;
      this.#requested = null;
      try {
        await (scope === 'all' ? this.#deps.fetchAll() : this.#deps.fetchChanges());
        this.#tries = 0;
      } catch (thrown) {
        const error = classifyError(thrown);
        if (error.kind === 'not-found') this.#deps.onNotFound();
        else if (!this.#isClosed) this.#retry(scope, error);
        break;
      }
    }
    this.#isRunning = false;
  }

  #retry(scope: Scope, error: AppError) {
    this.#addScope(scope);
    // With the session the live connection comes back, which requests it again.
    if (error.kind === 'signed-out') return this.#deps.signedOut();
    const last = RETRY_SECONDS.length - 1;
    const seconds = RETRY_SECONDS[Math.min(this.#tries, last)] ?? 30;
    this.#tries += 1;
    this.#timer = setTimeout(() => this.request(scope), seconds * 1_000);
  }
}
