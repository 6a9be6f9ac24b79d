import { jwtVerify } from 'jose';
import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import type { AccessClaims } from '../auth/tokens.ts';

/**
 * What lite 0.10.0 answers with 500, so it's asked first: a link that has expired, and an access token
 * whose session was ended. Both are answered as Supabase Storage does.
 */

/**
 * Refuses a link that no longer opens its file; null for one that does, and for all other paths.
 * @param path what follows /storage/v1.
 * @param secret that lite signs links with.
 */
export async function refuseLink(path: string, url: URL, secret: string): Promise<Response | null> {
  const token = url.searchParams.get('token');
  if (token === null || !/^\/(object|render\/image)\/sign\//.test(path)) return null;
  try {
    await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
    return null;
  } catch (error) {
    const { message } = error as Error;
    return Response.json({ statusCode: '400', error: 'InvalidJWT', message }, { status: 400 });
  }
}

/** Refuses somebody whose session was ended, though their access token lasts an hour; else null. */
export async function refuseEndedSession(
  db: Database,
  claims: AccessClaims | null,
): Promise<Response | null> {
  if (!claims) return null;
  const session = await queryOne(db)`
    select from auth.sessions where id = ${claims.session_id} and user_id = ${claims.sub}`;
  if (session) return null;
  const message = 'Your session was ended. Sign in again.';
  return Response.json({ statusCode: '401', error: 'Unauthorized', message }, { status: 401 });
}
