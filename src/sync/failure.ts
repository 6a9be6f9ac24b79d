import { classifyError } from '#lib/classify-error.ts';

/**
 * What a failed try means for an entry. `later`: all of the queue tries again. `wait`: the same for
 * this kind alone, and not before so many milliseconds. `signed-out`: wait for the person.
 * `refused`: for good.
 */
export type SendFailure =
  | { name: 'later' }
  | { name: 'wait'; milliseconds: number }
  | { name: 'signed-out' }
  | { name: 'refused'; reason: string };

/** SQLSTATEs of two transactions that stood in each other's way: the next try gets through. */
const TRANSIENT_CONFLICTS = ['40001', '40P01', '55P03'];

/**
 * What the error of a sender means for its entry. What was refused is told and stays beside the others
 * instead of holding them up; only what may yet arrive is sent again.
 */
export function sendFailureOf(thrown: unknown): SendFailure {
  const { kind, code = '', message, retryAfter = 0 } = classifyError(thrown);
  if (kind === 'signed-out') return { name: 'signed-out' };
  // Limits are counted for each kind of writing: what else waits goes out.
  if (kind === 'rate-limited') return { name: 'wait', milliseconds: retryAfter * 1000 };
  const passes = kind === 'conflict' && TRANSIENT_CONFLICTS.includes(code);
  const isFinal = ['conflict', 'denied', 'invalid', 'not-found'].includes(kind) && !passes;
  return isFinal ? { name: 'refused', reason: message } : { name: 'later' };
}
