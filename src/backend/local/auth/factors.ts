import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { AuthError, authJson } from './errors.ts';
import {
  answerChallenge,
  createChallenge,
  createFactor,
  deleteFactor,
  type FactorRow,
  findFactor,
  listFactors,
  lowerSessions,
  raiseSession,
} from './factor-store.ts';
import { type AuthContext, type AuthRequest, requireSession, sessionJson } from './session.ts';
import { createRefreshToken } from './store.ts';
import { createSecret, otpauthUri, stepOfCode } from './totp.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Enrols, challenges, verifies and unenrols an authenticator app, below /auth/v1/factors. */
export async function answerFactors(
  context: AuthContext,
  path: string,
  method: string,
  request: AuthRequest,
): Promise<Response> {
  const [, id, action] = /^\/factors(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
  if (!id && method === 'POST') return enrol(context, request);
  const { user, sessionId } = await requireSession(context.db, request);
  const factor = id && UUID.test(id) ? await findFactor(context.db, user.id, id) : null;
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
  const factor = await context.db.transaction().execute((db) =>
    createFactor(db, {
      userId: user.id,
      name: typeof name === 'string' ? name.slice(0, 100) : null,
      secret,
    }),
  );
  const shown = typeof issuer === 'string' && issuer ? issuer : new URL(context.siteUrl).host;
  return authJson({
    id: factor.id,
    type: 'totp',
    friendly_name: factor.friendly_name ?? '',
    totp: { secret, uri: otpauthUri(secret, shown.slice(0, 100), user.email) },
  });
}

async function challenge(
  context: AuthContext,
  factor: FactorRow,
  request: AuthRequest,
): Promise<Response> {
  const address = /^[\d.]+$/.test(request.address) ? request.address : null;
  const { id, expiresAt } = await createChallenge(context.db, factor.id, address);
  return authJson({ id, type: 'totp', expires_at: expiresAt });
}

async function verifyFactor(
  context: AuthContext,
  factor: FactorRow,
  sessionId: string,
  request: AuthRequest,
): Promise<Response> {
  const { code, challenge_id: challengeId } = request.body;
  // Another app counts only for whoever has shown the one that is there.
  if (factor.status === 'unverified') {
    await requireSecondLevel(context.db, factor.user_id, request);
  }
  if (typeof code !== 'string' || typeof challengeId !== 'string' || !UUID.test(challengeId)) {
    throw new AuthError(400, 'validation_failed', 'A challenge and a code are required');
  }
  await context.limits.code(factor.id, request.address);
  const step = stepOfCode(factor.secret, code.replace(/\s/g, ''), Date.now());
  // Whoever looked over a shoulder cannot use the same code again.
  if (step === null || !(await context.limits.once(`${factor.id}:${step}`))) {
    throw new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
  }
  const session = await context.db.transaction().execute(async (db) => {
    if (!(await answerChallenge(db, challengeId, factor.id))) return null;
    await raiseSession(db, sessionId, factor.id);
    if (factor.status === 'unverified') {
      // From now on a session owes the code: those that never showed one end.
      await query(db)`
        delete from auth.sessions where user_id = ${factor.user_id} and aal is distinct from 'aal2'`;
    }
    await query(db)`
      update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = ${sessionId}`;
    const refreshToken = await createRefreshToken(db, factor.user_id, sessionId, null);
    return sessionJson(context, db, factor.user_id, sessionId, refreshToken);
  });
  if (!session) {
    throw new AuthError(422, 'mfa_challenge_expired', 'The challenge is over, ask for a new one');
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
    await lowerSessions(db, factor.id);
    await deleteFactor(db, factor.id);
  });
  return authJson({ id: factor.id });
}

/** Refuses a session that has not shown the second factor that its person enrolled. */
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
  return new AuthError(401, 'insufficient_aal', 'Enter the code of your second factor first');
}
