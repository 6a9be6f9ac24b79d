/** When to retry what couldn't be sent: the whole queue, or one kind on its own. */

/** Seconds between attempts; the last one repeats. */
const BACKOFF = [1, 2, 5, 10, 30, 60] as const;

/** Milliseconds before the next attempt, after a number of failures. */
const backoff = (failures: number) =>
  (BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 60) * 1000;

/** The longest that a kind waits, in milliseconds, in case its limit has since been raised. */
const LONGEST_WAIT = 600_000;

export class RetrySchedule {
  readonly #now: () => number;
  /** When each kind that has to wait can be sent again. */
  readonly #waits = new Map<string, number>();
  /** How many times in a row a kind timed out. */
  readonly #silences = new Map<string, number>();
  #failures = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until a kind can be sent; 0 if it can be sent now. */
  waitOf(kind: string): number {
    const left = (this.#waits.get(kind) ?? 0) - this.#now();
    // If the clock was set back, don't wait forever.
    return left > LONGEST_WAIT ? 0 : Math.max(left, 0);
  }

  /** Makes a kind wait as long as the server said. */
  wait(kind: string, milliseconds: number): void {
    this.#waits.set(kind, this.#now() + Math.min(milliseconds, LONGEST_WAIT));
  }

  /** After a timeout, makes this kind back off. Returns the milliseconds. */
  waitAfterSilence(kind: string): number {
    const before = this.silencesOf(kind);
    this.#silences.set(kind, before + 1);
    this.wait(kind, backoff(before));
    return backoff(before);
  }

  silencesOf(kind: string): number {
    return this.#silences.get(kind) ?? 0;
  }

  /** After a failed attempt, returns the milliseconds before the next one. */
  waitAfterFailure(): number {
    this.#failures += 1;
    return backoff(this.#failures - 1);
  }

  /** Resets the backoff after something of this kind was sent. */
  succeeded(kind: string): void {
    this.#failures = 0;
    this.#silences.delete(kind);
  }

  /** Back online, or the person is back: forget timeouts and failures, not the server's limits. */
  restart(): void {
    this.#failures = 0;
    for (const kind of this.#silences.keys()) this.#waits.delete(kind);
    this.#silences.clear();
  }
}
