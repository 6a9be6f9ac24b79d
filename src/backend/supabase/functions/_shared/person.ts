import { sql } from 'kysely';
import type { Database } from './connection.ts';
import { database } from './database.ts';
import { answer, objectOf } from './requests.ts';

/**
 * The claims of the access token that a request was sent with; null without one. The gateway has
 * verified it before a function runs (`verify_jwt`, which is on by default), so functions that have
 * it turned off must not call this.
 */
function claimsOf(request: Request): string | null {
  const [, payload] =
    /^Bearer +[\w-]+\.([\w-]+)\.[\w-]+$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const text = payload ? Buffer.from(payload, 'base64url').toString() : '';
  return objectOf(text)?.role === 'authenticated' ? text : null;
}

/** Runs procedures as the person who sent the request; null if nobody is signed in. */
export async function asCaller<T>(
  request: Request,
  run: (db: Database) => Promise<T>,
): Promise<T | null> {
  const claims = claimsOf(request);
  if (!claims) return null;
  return database()
    .transaction()
    .execute(async (db) => {
      await sql`select set_config('request.jwt.claims', ${claims}, true)`.execute(db);
      await sql`set local role authenticated`.execute(db);
      return run(db);
    });
}

/** Statuses for the database's errors whose messages are for people. */
const STATUSES = new Map([
  ['22023', 422],
  ['42501', 403],
  ['P0002', 404],
  ['55000', 409],
  ['PT429', 429],
]);

/** The response for a database error that's for people. @throws every other error */
export function refusalFor(thrown: unknown): Response {
  const { code = '', message = '' } = thrown as { code?: string; message?: string };
  const status = STATUSES.get(code);
  if (!status) throw thrown;
  return answer(status, message);
}
