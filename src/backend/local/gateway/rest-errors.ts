import pg from 'pg';

/** What Postgres says of a statement that it refused, with its SQLSTATE. */
export type DatabaseError = pg.DatabaseError & { code: string };

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof pg.DatabaseError && /^[0-9A-Z]{5}$/.test(error.code ?? '');
}

/**
 * Whether lite answers this one well: of class 42 (unknown columns and tables) it knows more.
 * Others come out of lite 0.10.0 without code and hint.
 */
export function isLeftToLite({ code }: DatabaseError): boolean {
  return code.startsWith('42') && code !== '42501';
}

/** Answers a refusal of the database as PostgREST does: same body, same status. */
export function databaseErrorResponse(error: DatabaseError, role: string): Response {
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
const STATUSES: [prefix: string, status: number][] = [
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['53', 503],
  ['54', 500],
  ['55', 500],
  ['57', 500],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0001', 400],
  ['P0', 500],
  ['XX', 500],
];

/** The status that PostgREST gives for a SQLSTATE; `PT404` and the like name theirs. */
export function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403;
  const [, own] = /^PT([2-5]\d\d)$/.exec(code) ?? [];
  if (own) return Number(own);
  return STATUSES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 400;
}
