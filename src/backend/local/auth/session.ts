import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { EMAIL } from '#backend/supabase/functions/_shared/schemas/account.ts';
import { AuthError, authJson } from './errors.ts';
import type { Limits } from './limits.ts';
import {
  createSession,
  findSession,
  findUser,
  type IdentityRow,
  listIdentities,
  type UserRow,
} from './store.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  type AuthenticationMethod,
  type Tokens,
} from './tokens.ts';

export interface AuthContext {
  db: Database;
  tokens: Tokens;
  limits: Limits;
  siteUrl: string;
  /** Secret for hashing emailed codes. */
  pepper: string;
  /** Called after an email job is committed. */
  mailQueued: () => void;
}

export interface FactorRow {
  id: string;
  user_id: string;
  friendly_name: string | null;
  factor_type: 'totp';
  status: 'unverified' | 'verified';
  secret: string;
  created_at: Date;
  updated_at: Date;
}

export interface AuthRequest {
  body: Record<string, unknown>;
  query: URLSearchParams;
  address: string;
  userAgent: string | null;
  cookie: string | null;
  claims: AccessClaims | null;
}

/** Normalizes an email address the way it's stored; throws an AuthError if it isn't one. */
export function emailOf(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new AuthError(400, 'validation_failed', 'An email address is required.');
  }
  const email = value.trim().toLowerCase();
  if (email.length > 254 || !EMAIL.test(email)) {
    const sentence = 'Unable to validate email address: invalid format';
    throw new AuthError(400, 'validation_failed', sentence);
  }
  return email;
}

export async function listFactors(db: Database, userId: string): Promise<FactorRow[]> {
  return query<FactorRow>(db)`
    select * from auth.mfa_factors where user_id = ${userId} and factor_type = 'totp'
    order by created_at`;
}

type ShownUser = Partial<UserRow> &
  Pick<UserRow, 'id' | 'created_at' | 'updated_at' | 'raw_app_meta_data' | 'raw_user_meta_data'>;

export function userJson(
  user: ShownUser,
  identities: IdentityRow[],
  factors: FactorRow[] = [],
): Record<string, unknown> {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    ...withTimes({
      email_confirmed_at: user.email_confirmed_at,
      confirmed_at: user.email_confirmed_at,
      confirmation_sent_at: user.confirmation_sent_at,
      recovery_sent_at: user.recovery_sent_at,
      email_change_sent_at: user.email_change_sent_at,
      last_sign_in_at: user.last_sign_in_at,
    }),
    ...(user.email_change ? { new_email: user.email_change } : {}),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities: identities.map((identity) => ({
      identity_id: identity.id,
      id: identity.provider_id,
      user_id: identity.user_id,
      identity_data: identity.identity_data,
      provider: identity.provider,
      ...withTimes({ last_sign_in_at: identity.last_sign_in_at }),
      created_at: identity.created_at.toISOString(),
      updated_at: identity.updated_at.toISOString(),
      email: identity.email,
    })),
    factors: factors.map((factor) => ({
      id: factor.id,
      friendly_name: factor.friendly_name ?? '',
      factor_type: factor.factor_type,
      status: factor.status,
      created_at: factor.created_at.toISOString(),
      updated_at: factor.updated_at.toISOString(),
    })),
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    is_anonymous: false,
  };
}

/** Loads the user's identities and factors, and returns the user's JSON. */
export async function readUserJson(db: Database, user: UserRow): Promise<Record<string, unknown>> {
  return userJson(user, await listIdentities(db, user.id), await listFactors(db, user.id));
}

function withTimes(times: Record<string, Date | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) => (time ? [[name, time.toISOString()]] : [])),
  );
}

/** Starts a session and returns it. Call it in the transaction that verified the user. */
export async function startSession(
  context: AuthContext,
  db: Database,
  user: UserRow,
  method: AuthenticationMethod['method'],
  request: AuthRequest,
): Promise<Record<string, unknown>> {
  assertNotBanned(user);
  const { sessionId, refreshToken } = await createSession(db, {
    userId: user.id,
    method,
    userAgent: request.userAgent?.slice(0, 500) ?? null,
    ip: /^[\d.a-f:]+$/i.test(request.address) ? request.address : null,
  });
  return sessionJson(context, db, user.id, sessionId, refreshToken);
}

/** A session in Supabase Auth's response format, with a new access token. */
export async function sessionJson(
  context: AuthContext,
  db: Database,
  userId: string,
  sessionId: string,
  refreshToken: string,
): Promise<Record<string, unknown>> {
  const user = await findUser(db, userId);
  const session = await findSession(db, sessionId);
  if (!user || !session) throw sessionGone();
  const { token, expiresAt } = await context.tokens.sign({
    sub: user.id,
    email: user.email,
    phone: '',
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    aal: session.aal,
    amr: session.amr,
    session_id: sessionId,
    is_anonymous: false,
  });
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: await readUserJson(db, user),
  };
}

/** The user and session of an access token; throws an AuthError unless both still exist. */
export async function requireSession(
  db: Database,
  request: AuthRequest,
): Promise<{ user: UserRow; sessionId: string }> {
  const { claims } = request;
  if (!claims) {
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  }
  const session = await findSession(db, claims.session_id);
  if (session?.user_id !== claims.sub) throw sessionGone();
  const user = await findUser(db, claims.sub);
  if (!user) {
    throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  }
  assertNotBanned(user);
  return { user, sessionId: claims.session_id };
}

export function assertNotBanned(user: UserRow): void {
  if (user.banned_until && user.banned_until > new Date()) {
    throw new AuthError(400, 'user_banned', 'User is banned');
  }
}

function sessionGone(): AuthError {
  const sentence = 'Session from session_id claim in JWT does not exist';
  return new AuthError(403, 'session_not_found', sentence);
}

/** The response of endpoints that mustn't reveal whether an address is known. */
export function nothingToTell(): Response {
  return authJson({});
}
