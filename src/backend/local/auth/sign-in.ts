import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { AuthError, authJson } from './errors.ts';
import { provePassword } from './passwords.ts';
import {
  type AuthContext,
  type AuthRequest,
  assertNotBanned,
  emailOf,
  sessionJson,
  startSession,
} from './session.ts';
import { createRefreshToken, deleteSessions, findUser, findUserByEmail } from './store.ts';

/** How long a used refresh token still returns the session's current token, in seconds. */
const REUSE_SECONDS = 10;

/**
 * Signs in with a password. An unknown address, a wrong password, an account without one and an
 * unconfirmed address all get the same response in the same time. Otherwise, someone could register
 * an address and learn here whether it was taken.
 */
export async function signInWithPassword(
  context: AuthContext,
  request: AuthRequest,
): Promise<Response> {
  const email = emailOf(request.body.email);
  const { password } = request.body;
  if (typeof password !== 'string' || password === '') throw invalidCredentials();
  const user = await findUserByEmail(context.db, email);
  const stored = user?.email_confirmed_at ? user.encrypted_password : null;
  const who = { email, address: request.address };
  if (!(await provePassword(context.limits, who, password, stored)) || !user) {
    throw invalidCredentials();
  }
  const session = await context.db
    .transaction()
    .execute((db) => startSession(context, db, user, 'password', request));
  return authJson({ ...session, weak_password: null });
}

/**
 * Exchanges a refresh token for the next one. The row is locked, so a second request within ten
 * seconds gets the same next token. A later one ends the session, because one of the two requests
 * isn't from its owner.
 */
export async function refreshSession(
  context: AuthContext,
  request: AuthRequest,
): Promise<Response> {
  const token = request.body.refresh_token;
  if (typeof token !== 'string' || token === '') {
    throw new AuthError(400, 'validation_failed', 'refresh_token is required');
  }
  const outcome = await context.db.transaction().execute((db) => exchange(context, db, token));
  if (outcome instanceof AuthError) throw outcome;
  return authJson(outcome);
}

async function exchange(
  context: AuthContext,
  db: Database,
  token: string,
): Promise<Record<string, unknown> | AuthError> {
  const row = await queryOne<{
    token: string;
    user_id: string;
    session_id: string;
    revoked: boolean;
    in_time: boolean;
  }>(db)`
    select token, user_id, session_id, revoked,
      -- One far ahead is from before the clock was put back: nobody knows how long ago that was.
      updated_at - clock_timestamp() between make_interval(secs => -${REUSE_SECONDS}::float8)
        and make_interval(secs => ${REUSE_SECONDS}::float8) as in_time
    from auth.refresh_tokens where token = ${token} and session_id is not null
    for update`;
  if (!row) {
    const sentence = 'Invalid Refresh Token: Refresh Token Not Found';
    return new AuthError(400, 'refresh_token_not_found', sentence);
  }
  const user = await findUser(db, row.user_id);
  if (user) assertNotBanned(user);

  if (!row.revoked) {
    await query(db)`
      update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp()
      where token = ${token}`;
    const next = await createRefreshToken(db, row.user_id, row.session_id, token);
    await query(db)`
      update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now()
      where id = ${row.session_id}`;
    await query(db)`
      delete from auth.refresh_tokens
      where session_id = ${row.session_id} and revoked and updated_at < now() - interval '1 day'`;
    return sessionJson(context, db, row.user_id, row.session_id, next);
  }

  const current = await queryOne<{ token: string }>(db)`
    select token from auth.refresh_tokens
    where session_id = ${row.session_id} and not revoked
    order by created_at desc limit 1`;
  if (row.in_time && current) {
    return sessionJson(context, db, row.user_id, row.session_id, current.token);
  }
  // Returned, not thrown: the transaction that deletes the session must commit.
  await deleteSessions(db, row.user_id, { only: row.session_id });
  return new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
}

function invalidCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
}
