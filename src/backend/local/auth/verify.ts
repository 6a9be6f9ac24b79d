import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { AuthError, authJson } from './errors.ts';
import { registrantOf } from './registrant.ts';
import { type AuthContext, type AuthRequest, emailOf, startSession } from './session.ts';
import {
  codeHash,
  confirmIdentity,
  countTry,
  dropTokens,
  findUser,
  linkHash,
  type OneTimeToken,
  type TokenKind,
  takeToken,
  type UserRow,
  updateUser,
} from './store.ts';

/** The kinds of emailed tokens that each type of verification accepts. */
const KINDS: Record<string, TokenKind[]> = {
  signup: ['signup'],
  email: ['email', 'signup'],
  magiclink: ['email'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
};

/** Response to the first of the two links that confirm an email change. */
const HALFWAY = {
  code: 200,
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
};

/**
 * Accepts an emailed link (`token_hash`) or code once and starts a session. Unknown, used and
 * expired ones all get the same error, `otp_expired`.
 */
export async function verify(context: AuthContext, request: AuthRequest): Promise<Response> {
  const { type, token, token_hash: secret } = request.body;
  const kinds = typeof type === 'string' ? KINDS[type] : undefined;
  if (!kinds) throw new AuthError(400, 'validation_failed', 'Invalid email verification type');

  const hashes = await readProof(context, request, kinds, secret, token);
  if (hashes.length === 0) throw expired();
  const outcome = await context.db.transaction().execute(async (db) => {
    const found = await takeToken(db, hashes, kinds);
    const user = found && (await findUser(db, found.user_id, true));
    // Returned, not thrown: the transaction that deletes the token must commit.
    if (!found || !user || found.expired) return expired();
    return accept(context, request, db, user, found);
  });
  if (outcome instanceof AuthError) throw outcome;
  return authJson(outcome);
}

async function readProof(
  context: AuthContext,
  request: AuthRequest,
  kinds: TokenKind[],
  secret: unknown,
  code: unknown,
): Promise<string[]> {
  if (typeof secret === 'string' && secret !== '') {
    await context.limits.mailed(request.address);
    return [linkHash(secret)];
  }
  if (typeof code !== 'string' || code === '') {
    throw new AuthError(400, 'validation_failed', 'Verify requires a token or a token hash');
  }
  const email = emailOf(request.body.email);
  await context.limits.mailed(request.address);
  const typed = kinds.map((kind) => codeHash(context.pepper, kind, email, code.trim()));
  // Committed before the code is checked, so that simultaneous guesses are counted one by one.
  const open = await countTry(context.db, email, kinds);
  return typed.filter((hash) => open.includes(hash));
}

async function accept(
  context: AuthContext,
  request: AuthRequest,
  db: Database,
  user: UserRow,
  token: OneTimeToken,
): Promise<Record<string, unknown> | AuthError> {
  if (token.kind === 'email_change_current' || token.kind === 'email_change_new') {
    if (!user.email_change) return expired();
    // The second confirmation must come from the other address.
    await dropTokens(db, user.id, [token.kind]);
    if (user.email_change_confirm_status === 0) {
      await updateUser(db, user.id, { email_change_confirm_status: 1 });
      return HALFWAY;
    }
    const changed = await moveAddress(db, user, user.email_change);
    return changed ? startSession(context, db, changed, 'otp', request) : expired();
  }

  // The email went to an address that's no longer this account's.
  if (token.email !== user.email) return expired();
  // Other links and codes requested for the same purpose stop working too.
  await dropTokens(db, user.id, [token.kind === 'recovery' ? 'recovery' : 'email']);
  if (!user.email_confirmed_at) {
    await dropTokens(db, user.id, ['signup']);
    await confirmIdentity(db, user.id, user.email);
    await updateUser(db, user.id, {
      email_confirmed_at: new Date(),
      raw_user_meta_data: withFacts(user, token.metadata),
      encrypted_password: passwordOnConfirming(token, registrantOf(context, request)),
    });
  }
  return startSession(context, db, user, 'otp', request);
}

/**
 * The password of a newly confirmed account: the latest one, if every registration came from the
 * client that confirms it. Otherwise the password may be a stranger's, so there's none: the email
 * signs in the owner, who can then choose one.
 */
function passwordOnConfirming(token: OneTimeToken, me: string | null): string | null {
  const [latest] = token.registrations;
  const areMine = token.registrations.every(({ registrant }) => registrant === me);
  return latest && areMine ? latest.encryptedPassword : null;
}

/** User metadata of the registration that's being confirmed, plus what Auth itself maintains. */
function withFacts(
  user: UserRow,
  metadata: OneTimeToken['metadata'],
): UserRow['raw_user_meta_data'] {
  const { sub, email } = user.raw_user_meta_data;
  const facts = { sub, email, email_verified: true, phone_verified: false };
  return { ...(metadata ?? user.raw_user_meta_data), ...facts };
}

async function moveAddress(db: Database, user: UserRow, email: string): Promise<UserRow | null> {
  const taken = await queryOne(db)`
    select 1 from auth.users where email = ${email} and id <> ${user.id}`;
  if (taken) return null;
  await dropTokens(db, user.id, ['email', 'recovery', 'email_change_current', 'email_change_new']);
  await confirmIdentity(db, user.id, email);
  return updateUser(db, user.id, {
    email,
    email_change: null,
    email_change_sent_at: null,
    email_change_confirm_status: 0,
    raw_user_meta_data: { ...user.raw_user_meta_data, email, email_verified: true },
  });
}

function expired(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}
