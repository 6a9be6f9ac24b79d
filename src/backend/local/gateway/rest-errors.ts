import pg from 'pg';

/** A PostgreSQL error with its SQLSTATE. */
export type DatabaseError = pg.DatabaseError & { code: string };

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof pg.DatabaseError && /^[0-9A-Z]{5}$/.test(error.code ?? '');
}

/**
 * Whether to leave an error to lite, which explains class 42 (unknown columns and tables) better.
 * lite 0.10.0 returns others without code and hint.
 */
export function isLeftToLite({ code }: DatabaseError): boolean {
  return code.startsWith('42') && code !== '42501';
}

/** Creates the response that PostgREST would send for a database error: same body, same status. */
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
const STATUSES: [code: RegExp, status: number][] = [
  [/^(08|53)/, 503],
  [/^(0L|0P|28)/, 403],
  [/^2350[35]/, 409],
  [/^25006/, 405],
  [/^P0001/, 400],
  [/^(09|25|2D|38|39|3B|40|54|55|57|58|F0|HV|P0|XX)/, 500],
];

/** PostgREST's HTTP status for a SQLSTATE; codes such as `PT404` contain their own. */
export function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403;
  const [, own] = /^PT([2-5]\d\d)$/.exec(code) ?? [];
  if (own) return Number(own);
  return STATUSES.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}
