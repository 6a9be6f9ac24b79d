/** Asks for what was missed, one question at a time, until it is here. */

import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';

/** `changes`: what happened after the last revision. `whole`: who takes part may have changed too. */
export type Missed = 'changes' | 'whole';

interface CatchUpDeps {
  changes(): Promise<void>;
  whole(): Promise<void>;
  signedOut(): void;
  /** The person takes no part in it any more. */
  gone(error: AppError): void;
}

/** Seconds between tries; the last one repeats. */
const AGAIN = [1, 2, 5, 10, 30] as const;

export function createCatchUp(deps: CatchUpDeps) {
  let missed: Missed | null = null;
  let running = false;
  let tries = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    running = true;
    while (missed && !closed) {
      const what: Missed = missed;
      missed = null;
      try {
        await deps[what]();
        tries = 0;
      } catch (thrown) {
        const error = classifyError(thrown);
        if (error.kind === 'not-found') deps.gone(error);
        else if (!closed) tryAgain(what, error);
        break;
      }
    }
    running = false;
  }

  function tryAgain(what: Missed, error: AppError) {
    missed = worse(missed, what);
    // Asked again when the session is back: the live connection then says so.
    if (error.kind === 'signed-out') {
      deps.signedOut();
      return;
    }
    const seconds = AGAIN[Math.min(tries, AGAIN.length - 1)] ?? 30;
    tries += 1;
    timer = setTimeout(() => ask(what), seconds * 1_000);
  }

  /** Something was missed, or may have been. */
  function ask(what: Missed): void {
    if (closed) return;
    clearTimeout(timer);
    missed = worse(missed, what);
    if (!running) void run();
  }

  /** The same, unless it arrives by itself meanwhile. */
  function askSoon(what: Missed, milliseconds: number, still: () => boolean): void {
    if (running || closed) {
      if (!closed) missed = worse(missed, what);
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(() => still() && ask(what), milliseconds);
  }

  return {
    ask,
    askSoon,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

const worse = (one: Missed | null, other: Missed): Missed => (one === 'whole' ? 'whole' : other);
