/** When what could not be sent is tried again: all of the queue, or one kind by itself. */

/** Seconds between tries; the last one repeats. */
const BACKOFF = [1, 2, 5, 10, 30, 60] as const;

/** Milliseconds before the next try, after so many that failed. */
const backoff = (failures: number) =>
  (BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 60) * 1000;

/** The longest that a kind waits, in milliseconds: a limit may have been raised meanwhile. */
const LONGEST_WAIT = 600_000;

export class RetrySchedule {
  readonly #now: () => number;
  /** When each kind that has to wait may be sent again. */
  readonly #waits = new Map<string, number>();
  /** How often in a row a kind was not answered. */
  readonly #silences = new Map<string, number>();
  #failures = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until a kind may be sent; 0 when it may be sent now. */
  waitOf(kind: string): number {
    const left = (this.#waits.get(kind) ?? 0) - this.#now();
    // A clock that was set back must not keep it forever.
    return left > LONGEST_WAIT ? 0 : Math.max(left, 0);
  }

  /** The server said how long this kind waits. */
  wait(kind: string, milliseconds: number): void {
    this.#waits.set(kind, this.#now() + Math.min(milliseconds, LONGEST_WAIT));
  }

  /** Nobody answered: this kind waits ever longer. Gives the milliseconds. */
  waitAfterSilence(kind: string): number {
    const before = this.silencesOf(kind);
    this.#silences.set(kind, before + 1);
    this.wait(kind, backoff(before));
    return backoff(before);
  }

  silencesOf(kind: string): number {
    return this.#silences.get(kind) ?? 0;
  }

  /** A try failed: milliseconds until the next one. */
  waitAfterFailure(): number {
    this.#failures += 1;
    return backoff(this.#failures - 1);
  }

  /** Something of this kind has arrived. */
  succeeded(kind: string): void {
    this.#failures = 0;
    this.#silences.delete(kind);
  }

  /** The connection is back, or the person is: silence counts no more, what the server said does. */
  restart(): void {
    this.#failures = 0;
    for (const kind of this.#silences.keys()) this.#waits.delete(kind);
    this.#silences.clear();
  }
}
