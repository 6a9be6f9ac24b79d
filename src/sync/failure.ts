import { classifyError } from '#lib/classify-error.ts';

/**
 * What a failed attempt means for an entry. `later`: the whole queue retries. `wait`: only this
 * kind does, after at least this many milliseconds. `signed-out`: retry once the person signs in.
 * `refused`: never retry.
 */
export type SendFailure =
  | { name: 'later' }
  | { name: 'wait'; milliseconds: number }
  | { name: 'signed-out' }
  | { name: 'refused'; reason: string };

/** SQLSTATEs of two transactions that blocked each other; a retry succeeds. */
const TRANSIENT_CONFLICTS = ['40001', '40P01', '55P03'];

/**
 * Classifies a sender's error. A refused entry is shown to the person and doesn't block the others;
 * only an entry that may still succeed is retried.
 */
export function sendFailureOf(thrown: unknown): SendFailure {
  const { kind, code = '', message, retryAfter = 0 } = classifyError(thrown);
  if (kind === 'signed-out') return { name: 'signed-out' };
  // Rate limits apply per kind, so the other kinds can still be sent.
  if (kind === 'rate-limited') return { name: 'wait', milliseconds: retryAfter * 1000 };
  const passes = kind === 'conflict' && TRANSIENT_CONFLICTS.includes(code);
  const isFinal = ['conflict', 'denied', 'invalid', 'not-found'].includes(kind) && !passes;
  return isFinal ? { name: 'refused', reason: message } : { name: 'later' };
}
