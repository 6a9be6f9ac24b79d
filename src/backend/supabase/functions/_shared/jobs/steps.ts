/** Jobs that work through what waits for another system, step by step, for a limited time. */
import { setTimeout as wait } from 'node:timers/promises';
import { RemoteError, sentenceOf } from '../remote-api.ts';
import { JobError } from './worker.ts';

/** After this long, in ms, another job continues: a function has 25 s. */
const BUDGET = 15_000;
/** How often in a row the other system may not answer before the job waits. */
const TRIES = 4;
/** The longest a job is postponed because the other system asked for it, in s. */
const LONGEST_POSTPONED = 3_600;

/** How patient a job is; tests are less so. */
export interface Patience {
  /** Timeout of a request, in ms. */
  requestLimit: number;
  /** The pause after the other system didn't answer, in ms; it doubles each time in a row. */
  pause: number;
}
export const PATIENCE: Patience = { requestLimit: 10_000, pause: 400 };

/**
 * Repeats each step until there's nothing left to do: a step resolves to whether there was something.
 * @returns false if time ran out before that
 * @throws RemoteError
 */
export async function runSteps(
  steps: readonly (() => Promise<boolean>)[],
  pause: number,
): Promise<boolean> {
  const deadline = Date.now() + BUDGET;
  for (const step of steps) {
    for (let failures = 0; ; ) {
      if (Date.now() > deadline) return false;
      try {
        if (!(await step())) break;
        failures = 0;
      } catch (error) {
        failures += 1;
        const isAway = error instanceof RemoteError && error.why === 'away';
        if (!isAway || failures === TRIES) throw error;
        await wait(pause * 2 ** (failures - 1));
      }
    }
  }
  return true;
}

/** What the job is told about a failure: to wait until the other system is back. Others stay as they are. */
export const jobErrorOf = (error: unknown, name: string, setting: string): unknown =>
  error instanceof RemoteError
    ? new JobError(
        sentenceOf(error, name, setting),
        'service',
        Math.min(error.after, LONGEST_POSTPONED),
      )
    : error;
