import { mailEmailChange, metadataOf } from './accounts.ts';
import { AuthError, authJson } from './errors.ts';
import { requireSecondLevel } from './factors.ts';
import { queueMail } from './mail.ts';
import { assertStrong, hashPassword, passwordMatches, provePassword } from './passwords.ts';
import {
  type AuthContext,
  type AuthRequest,
  emailOf,
  readUserJson,
  requireSession,
} from './session.ts';
import { deleteSessions, dropTokens, findUser, type UserRow, updateUser } from './store.ts';

const PASSWORD_CHANGED = {
  subject: 'Your password was changed',
  heading: 'Your password was changed',
  paragraphs: ['Use your new password from now on. We’ve signed you out everywhere else.'],
  why: 'You’re getting this email because someone changed your account’s password. If it wasn’t you, choose a new one right away.',
  button_label: 'Choose a new password',
  button_path: '/recover',
};

/** Returns the signed-in user, whose session must still exist. */
export async function getUser(context: AuthContext, request: AuthRequest): Promise<Response> {
  const { user } = await requireSession(context.db, request);
  return authJson(await readUserJson(context.db, user));
}

/** Changes the password (requires the current one, ends other sessions), email or metadata. */
export async function changeUser(context: AuthContext, request: AuthRequest): Promise<Response> {
  const { user, sessionId } = await requireSession(context.db, request);
  const { password } = request.body;
  const data = metadataOf(request.body.data);
  const email = request.body.email ? emailOf(request.body.email) : user.email;

  if (password || email !== user.email) await requireSecondLevel(context.db, user.id, request);
  let encryptedPassword: string | undefined;
  if (password !== undefined && password !== null) {
    await requirePresentPassword(context, request, user);
    const chosen = await assertStrong(password, user.email);
    if (await passwordMatches(chosen, user.encrypted_password)) {
      const sentence = 'New password should be different from the old password.';
      throw new AuthError(422, 'same_password', sentence);
    }
    encryptedPassword = await hashPassword(chosen);
  }
  if (email !== user.email) {
    await context.limits.mail('email_change', user.email, request.address);
    await context.limits.mail('email_change', email, request.address);
  }

  const body = await context.db.transaction().execute(async (db) => {
    const current = await findUser(db, user.id, true);
    if (!current) throw new AuthError(403, 'user_not_found', 'User does not exist');
    await updateUser(db, user.id, {
      ...(encryptedPassword ? { encrypted_password: encryptedPassword } : {}),
      raw_user_meta_data: merged(current.raw_user_meta_data, data),
    });
    if (encryptedPassword) {
      await deleteSessions(db, user.id, { except: sessionId });
      await dropTokens(db, user.id, ['email', 'recovery']);
      await queueMail(db, user.email, 'notice', PASSWORD_CHANGED);
    }
    if (email !== user.email) await mailEmailChange(context, db, request, current, email);
    const changed = (await findUser(db, user.id)) ?? current;
    return readUserJson(db, changed);
  });
  if (encryptedPassword || email !== user.email) context.mailQueued();
  return authJson(body);
}

/** How long after signing in by email a user can skip the current password, in seconds. */
const BY_MAIL_SECONDS = 3600;

/** Requires the current password, unless the user signed in by email within the past hour. */
async function requirePresentPassword(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
): Promise<void> {
  const since = Date.now() / 1000 - BY_MAIL_SECONDS;
  const byMail = request.claims?.amr.some(
    ({ method, timestamp }) => method === 'otp' && timestamp > since,
  );
  if (byMail || !user.encrypted_password) return;
  const present = request.body.current_password;
  const sentence = 'Current password required when setting new password.';
  if (typeof present !== 'string' || present === '') {
    throw new AuthError(400, 'current_password_required', sentence);
  }
  const who = { email: user.email, address: request.address };
  if (!(await provePassword(context.limits, who, present, user.encrypted_password))) {
    throw new AuthError(400, 'current_password_mismatch', sentence);
  }
}

/** Ends this session (`local`), every other one (`others`) or all of them (`global`, the default). */
export async function signOut(context: AuthContext, request: AuthRequest): Promise<Response> {
  const scope = request.query.get('scope') ?? 'global';
  const { user, sessionId } = await requireSession(context.db, request);
  if (scope === 'global') await deleteSessions(context.db, user.id);
  else if (scope === 'local') await deleteSessions(context.db, user.id, { only: sessionId });
  else if (scope === 'others') await deleteSessions(context.db, user.id, { except: sessionId });
  else throw new AuthError(400, 'validation_failed', `Unsupported logout scope "${scope}"`);
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}

/** Metadata that Auth itself maintains; users can't set it. */
const KEPT = new Set(['sub', 'email', 'email_verified', 'phone_verified']);

/** Merges new metadata into the old; null removes a key, as on Supabase. */
function merged(
  metadata: Record<string, unknown>,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const result = { ...metadata };
  for (const [key, value] of Object.entries(data)) {
    if (KEPT.has(key)) continue;
    if (value === null) delete result[key];
    else result[key] = value;
  }
  // Checks the total, because many small changes can add up to too much.
  metadataOf(Object.fromEntries(Object.entries(result).filter(([key]) => !KEPT.has(key))));
  return result;
}
