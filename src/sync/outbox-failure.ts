import { classifyError } from '../lib/classify-error.ts';
import type { OutboxFailure } from './outbox.ts';

/** Two transactions stood in each other's way: the next try gets through. */
const IN_THE_WAY = ['40001', '40P01', '55P03'];

/**
 * What the error of a sender means for its entry. What was refused is told and stays beside the others
 * instead of holding them up; only what may yet arrive is sent again.
 */
export function outboxFailureOf(thrown: unknown): OutboxFailure {
  const { kind, code = '', message, retryAfter = 0 } = classifyError(thrown);
  if (kind === 'signed-out') return 'signed-out';
  // Limits are counted for each kind of writing: what else waits goes out.
  if (kind === 'rate-limited') return { kindWaits: retryAfter * 1000 };
  const passes = kind === 'conflict' && IN_THE_WAY.includes(code);
  const final = ['conflict', 'denied', 'invalid', 'not-found'].includes(kind) && !passes;
  return final ? { refused: message } : 'later';
}
