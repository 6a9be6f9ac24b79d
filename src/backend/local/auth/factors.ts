import { randomUUID } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { AuthError, authJson } from './errors.ts';
import {
  type AuthContext,
  type AuthRequest,
  type FactorRow,
  listFactors,
  requireSession,
  sessionJson,
} from './session.ts';
import { createRefreshToken } from './store.ts';
import { createSecret, otpauthUri, stepOfCode } from './totp.ts';

/** How long a challenge is valid, in seconds; Supabase's default. */
const CHALLENGE_SECONDS = 300;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Handles /auth/v1/factors: enrolls, challenges, verifies and unenrolls an authenticator app. */
export async function answerFactors(
  context: AuthContext,
  path: string,
  method: string,
  request: AuthRequest,
): Promise<Response> {
  const [, id, action] = /^\/factors(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
  if (!id && method === 'POST') return enrol(context, request);
  const { user, sessionId } = await requireSession(context.db, request);
  const factors = await listFactors(context.db, user.id);
  const factor = factors.find((each) => each.id === id);
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
  if (action === 'challenge' && method === 'POST') return challenge(context, factor, request);
  if (action === 'verify' && method === 'POST') {
    return verifyFactor(context, factor, sessionId, request);
  }
  if (!action && method === 'DELETE') return unenrol(context, factor, request);
  throw new AuthError(404, 'mfa_factor_not_found', 'Not found');
}

async function enrol(context: AuthContext, request: AuthRequest): Promise<Response> {
  const { user } = await requireSession(context.db, request);
  const { factor_type: type, friendly_name: name, issuer } = request.body;
  if (type !== 'totp') {
    throw new AuthError(400, 'validation_failed', 'factor_type needs to be totp');
  }
  await requireSecondLevel(context.db, user.id, request);
  const secret = createSecret();
  const shown = typeof issuer === 'string' && issuer ? issuer : new URL(context.siteUrl).host;
  const [id, givenName] = [randomUUID(), typeof name === 'string' ? name.slice(0, 100) : null];
  await context.db.transaction().execute(async (db) => {
    // Drops the user's earlier attempts to enroll that they never completed.
    await query(db)`
      delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'`;
    await query(db)`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
      values (${id}, ${user.id}, ${givenName}, 'totp', 'unverified', ${secret})`;
  });
  const totp = { secret, uri: otpauthUri(secret, shown.slice(0, 100), user.email) };
  return authJson({ id, type: 'totp', friendly_name: givenName ?? '', totp });
}

async function challenge(
  context: AuthContext,
  factor: FactorRow,
  request: AuthRequest,
): Promise<Response> {
  const id = randomUUID();
  const address = /^[\d.]+$/.test(request.address) ? request.address : '0.0.0.0';
  await query(context.db)`
    delete from auth.mfa_challenges
    where factor_id = ${factor.id} and created_at < now() - make_interval(secs => ${CHALLENGE_SECONDS})`;
  await query(context.db)`
    insert into auth.mfa_challenges (id, factor_id, ip_address)
    values (${id}, ${factor.id}, ${address})`;
  const expiresAt = Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS;
  return authJson({ id, type: 'totp', expires_at: expiresAt });
}

async function verifyFactor(
  context: AuthContext,
  factor: FactorRow,
  sessionId: string,
  request: AuthRequest,
): Promise<Response> {
  const { code, challenge_id: challengeId } = request.body;
  // To add another app, a user first has to enter a code from the existing one.
  if (factor.status === 'unverified') {
    await requireSecondLevel(context.db, factor.user_id, request);
  }
  if (typeof code !== 'string' || typeof challengeId !== 'string' || !UUID.test(challengeId)) {
    throw new AuthError(400, 'validation_failed', 'A challenge and a code are required');
  }
  await context.limits.code(factor.id, request.address);
  const step = stepOfCode(factor.secret, code.replace(/\s/g, ''), Date.now());
  // Each code works once, so someone who sees it over the user's shoulder can't reuse it.
  if (step === null || !(await context.limits.once(`${factor.id}:${step}`))) {
    throw new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
  }
  const session = await context.db.transaction().execute(async (db) => {
    const answered = await queryOne(db)`
      update auth.mfa_challenges set verified_at = now()
      where id = ${challengeId} and factor_id = ${factor.id} and verified_at is null
        and created_at > now() - make_interval(secs => ${CHALLENGE_SECONDS})
      returning id`;
    if (!answered) return null;
    await raiseSession(db, sessionId, factor.id);
    if (factor.status === 'unverified') {
      // From now on every session needs a code, so end those that never entered one.
      await query(db)`
        delete from auth.sessions where user_id = ${factor.user_id} and aal is distinct from 'aal2'`;
    }
    await query(db)`
      update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = ${sessionId}`;
    const refreshToken = await createRefreshToken(db, factor.user_id, sessionId, null);
    return sessionJson(context, db, factor.user_id, sessionId, refreshToken);
  });
  if (!session) {
    throw new AuthError(422, 'mfa_challenge_expired', 'The challenge has expired');
  }
  return authJson(session);
}

async function unenrol(
  context: AuthContext,
  factor: FactorRow,
  request: AuthRequest,
): Promise<Response> {
  if (factor.status === 'verified' && request.claims?.aal !== 'aal2') throw needsSecondLevel();
  await context.db.transaction().execute(async (db) => {
    // Sessions verified by this factor drop back to `aal1`.
    await query(db)`
      delete from auth.mfa_amr_claims
      where authentication_method = 'totp'
        and session_id in (select id from auth.sessions where factor_id = ${factor.id})`;
    await query(db)`
      update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
      where factor_id = ${factor.id}`;
    await query(db)`delete from auth.mfa_factors where id = ${factor.id}`;
  });
  return authJson({ id: factor.id });
}

/** @throws {AuthError} `insufficient_aal` if the session lacks the user's second factor. */
export async function requireSecondLevel(
  db: Database,
  userId: string,
  request: AuthRequest,
): Promise<void> {
  if (request.claims?.aal === 'aal2') return;
  const factors = await listFactors(db, userId);
  if (factors.some((factor) => factor.status === 'verified')) throw needsSecondLevel();
}

function needsSecondLevel(): AuthError {
  return new AuthError(401, 'insufficient_aal', 'Enter the code from your authenticator app first');
}

/** Raises a session to `aal2` and records which factor verified it. */
async function raiseSession(db: Database, sessionId: string, factorId: string): Promise<void> {
  await query(db)`
    update auth.mfa_factors set status = 'verified', updated_at = now() where id = ${factorId}`;
  await query(db)`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = now()
    where id = ${sessionId}`;
  await query(db)`
    insert into auth.mfa_amr_claims (session_id, authentication_method) values (${sessionId}, 'totp')
    on conflict (session_id, authentication_method) do update set updated_at = now()`;
}
