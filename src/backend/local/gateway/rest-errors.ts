import pg from 'pg';
import { isDatabaseAway, isOutOfSpace } from '#backend/supabase/functions/_shared/connection.ts';
import { outOfSpaceResponse } from '../postgres/disk-space.ts';

/** A PostgreSQL error with its SQLSTATE. */
export type DatabaseError = pg.DatabaseError & { code: string };

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof pg.DatabaseError && /^[0-9A-Z]{5}$/.test(error.code ?? '');
}

/**
 * Whether to leave an error to lite, which explains class 42 (unknown columns and tables) better.
 * lite 0.10.0 returns others without code and hint.
 */
export function isLeftToLite(error: unknown): boolean {
  return isDatabaseError(error) && error.code.startsWith('42') && error.code !== '42501';
}

/** SQLSTATE read_only_sql_transaction: the statement tried to write. */
const READ_ONLY = '25006';

/**
 * The response to a request that failed in the database.
 * @param asked.readOnly whether the disk is full, so that writes are rejected
 * @throws the error if it isn't the database's, or if the database is unreachable
 */
export function answerToError(
  error: unknown,
  { role, readOnly }: { role: string; readOnly: boolean },
  log: (line: string) => void,
): Response {
  if (isOutOfSpace(error)) return outOfSpaceResponse();
  if (!isDatabaseError(error) || isDatabaseAway(error)) throw error;
  if (readOnly && error.code === READ_ONLY) return outOfSpaceResponse();
  const raised = error.routine === 'exec_stmt_raise';
  if (!raised && statusOf(error.code, role) >= 500) log(`REST: ${error.stack}`);
  return databaseErrorResponse(error, role);
}

/** Creates the response that PostgREST would send for a database error: same body, same status. */
function databaseErrorResponse(error: DatabaseError, role: string): Response {
  return Response.json(
    {
      code: error.code,
      details: error.detail ?? null,
      hint: error.hint ?? null,
      message: error.message,
    },
    { status: statusOf(error.code, role) },
  );
}

/** https://docs.postgrest.org/en/v13/references/errors.html#http-status-codes */
const STATUSES: [code: RegExp, status: number][] = [
  [/^(08|53)/, 503],
  [/^(0L|0P|28)/, 403],
  [/^2350[35]/, 409],
  [/^25006/, 405],
  [/^42(883|P01)/, 404],
  [/^42P17/, 500],
  [/^P0001/, 400],
  [/^(09|25|2D|38|39|3B|40|54|55|57|58|F0|HV|P0|XX)/, 500],
];

/** PostgREST's HTTP status for a SQLSTATE; codes such as `PT404` contain their own. */
function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403;
  const [, own] = /^PT([2-5]\d\d)$/.exec(code) ?? [];
  if (own) return Number(own);
  return STATUSES.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}
