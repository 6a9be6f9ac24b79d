/**
 * All attempts at the quiz, for admins, without answers and scores. Each read and each change is
 * recorded in the audit log.
 */
import * as v from 'valibot';
import type { AttemptFilter } from '#domain/admin-attempts.ts';
import { ATTEMPT_STATES, QUIZ_KINDS } from '#domain/attempt.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

export const listedAttempt = listedRow({
  kind: v.picklist(QUIZ_KINDS),
  state: v.picklist(ATTEMPT_STATES),
  /** The number of the quiz's version. */
  version: v.number(),
  started_at: v.string(),
  submitted_at: v.nullable(v.string()),
  void_reason: v.nullable(v.string()),
  /** Null if its person has none yet. */
  business: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** Null once the account is deleted. */
  person: v.nullable(v.object({ id: v.string(), name: v.nullable(v.string()) })),
});
export type ListedAttempt = v.InferOutput<typeof listedAttempt>;

/** A page of all attempts, with the versions to choose from. Throws an AppError. */
export const listAllAttempts = (db: Db, filter: AttemptFilter, limit?: number) =>
  readAdminList(db, 'admin_attempts', listedAttempt, filter, limit);

/**
 * Sets a finished attempt aside for good. Its owner is told, with the reason. Throws an AppError,
 * `conflict` if it isn't finished.
 */
export async function voidAttempt(db: Db, id: string, reason: string): Promise<void> {
  await rpc(db, 'void_attempt', v.object({ id: v.string(), state: v.literal('voided') }), {
    p_attempt_id: id,
    p_reason: reason,
  });
}
