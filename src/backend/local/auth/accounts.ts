import { randomUUID } from 'node:crypto';
import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { AuthError, authJson } from './errors.ts';
import {
  MAIL_TOKEN_SECONDS,
  mailAlreadyRegistered,
  mailCode,
  mailConfirmation,
  makeLink,
  queueMail,
} from './mail.ts';
import { assertStrong, hashPassword } from './passwords.ts';
import { newRegistrant, registrantOf } from './registrant.ts';
import { type AuthContext, type AuthRequest, emailOf, nothingToTell, userJson } from './session.ts';
import {
  createUser,
  dropTokens,
  findUserByEmail,
  listRegistrations,
  type TokenKind,
  type UserRow,
  updateUser,
} from './store.ts';

/**
 * The largest user metadata, in bytes of JSON. The session in the cookies contains it three times,
 * and Node rejects 16 KB of headers.
 */
const LONGEST_METADATA = 1500;

/**
 * Registers an email address. Whether it's new, unconfirmed or taken, the response and its timing
 * are the same, and one email is sent. The password is stored with the emailed link until we know
 * that the address's owner chose it.
 */
export async function signUp(context: AuthContext, request: AuthRequest): Promise<Response> {
  const email = emailOf(request.body.email);
  const password = await assertStrong(request.body.password, email);
  const data = metadataOf(request.body.data);
  await context.limits.mail('signup', email, request.address);
  // Before looking whether the address has an account, so that the answer doesn't tell.
  if (!(await mayRegister(context.db, email))) {
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  }
  const encryptedPassword = await hashPassword(password);
  const { registrant, headers } = newRegistrant(context, request);

  await inEqualTime(
    context.db.transaction().execute(async (db) => {
      const created = await createUser(db, { email, data });
      const user = created ?? (await findUserByEmail(db, email));
      if (!user) throw new Error('Database error finding user');
      if (user.email_confirmed_at) {
        await mailAlreadyRegistered(context, db, email);
        return;
      }
      const registration = { encryptedPassword, registrant, metadata: data };
      await mailConfirmation(context, db, request, { userId: user.id, email, registration });
    }),
  );
  context.mailQueued();
  return authJson(newcomerJson(email, data), 200, headers);
}

/** Whether registration is open, or the address was invited. */
async function mayRegister(db: Database, email: string): Promise<boolean> {
  const row = await queryOne<{ may: boolean }>(db)`select private.may_register(${email}) as may`;
  return row?.may ?? false;
}

/** Mails a sign-in code and link, creating the account first unless `create_user` is false. */
export async function requestCode(context: AuthContext, request: AuthRequest): Promise<Response> {
  const email = emailOf(request.body.email);
  const mayCreate = request.body.create_user !== false && (await mayRegister(context.db, email));
  const data = metadataOf(request.body.data);
  return mailUnlessUnknown(context, request, 'email', email, async (db, known) => {
    const user = known ?? (mayCreate ? await createUser(db, { email, data }) : undefined);
    if (user) await mailCode(context, db, request, { userId: user.id, email });
  });
}

/** Mails a link for setting a new password. */
export async function recover(context: AuthContext, request: AuthRequest): Promise<Response> {
  const email = emailOf(request.body.email);
  return mailUnlessUnknown(context, request, 'recovery', email, async (db, user) => {
    if (!user) return;
    const link = await makeLink(context, db, request, { userId: user.id, kind: 'recovery', email });
    await updateUser(db, user.id, { recovery_sent_at: new Date() });
    await queueMail(db, email, 'recovery', { link }, MAIL_TOKEN_SECONDS);
  });
}

/** Resends the confirmation of a new account or of an email change. */
export async function resend(context: AuthContext, request: AuthRequest): Promise<Response> {
  const { type } = request.body;
  const email = emailOf(request.body.email);
  if (type === 'signup') {
    return mailUnlessUnknown(context, request, 'signup', email, async (db, user) => {
      if (!user || user.email_confirmed_at) return;
      const me = registrantOf(context, request);
      const registrations = await listRegistrations(db, user.id);
      const metadata = registrations.find(({ registrant }) => registrant === me)?.metadata;
      await mailConfirmation(context, db, request, { userId: user.id, email, metadata });
    });
  }
  if (type === 'email_change') {
    return mailUnlessUnknown(context, request, 'email_change', email, async (db, user) => {
      if (user?.email_change) await mailEmailChange(context, db, request, user, user.email_change);
    });
  }
  throw new AuthError(400, 'validation_failed', 'Missing one of these types: signup, email_change');
}

/** Mails a link to the old and the new address. The email changes once both have been opened. */
export async function mailEmailChange(
  context: AuthContext,
  db: Database,
  request: AuthRequest,
  user: UserRow,
  newEmail: string,
): Promise<void> {
  // A link in an earlier email would confirm this address instead of the one that email names.
  if (user.email_change !== newEmail) {
    await dropTokens(db, user.id, ['email_change_current', 'email_change_new']);
  }
  await updateUser(db, user.id, {
    email_change: newEmail,
    email_change_sent_at: new Date(),
    email_change_confirm_status: 0,
  });
  const mail = async (kind: TokenKind, email: string) => {
    const link = await makeLink(context, db, request, { userId: user.id, kind, email });
    const data = { current_address: user.email, new_address: newEmail, link };
    await queueMail(db, email, 'email-change', data, MAIL_TOKEN_SECONDS);
  };
  await mail('email_change_current', user.email);
  if (await findUserByEmail(db, newEmail)) await mailAlreadyRegistered(context, db, newEmail);
  else await mail('email_change_new', newEmail);
}

async function mailUnlessUnknown(
  context: AuthContext,
  request: AuthRequest,
  kind: string,
  email: string,
  work: (db: Database, user: UserRow | undefined) => Promise<void>,
): Promise<Response> {
  await context.limits.mail(kind, email, request.address);
  await inEqualTime(
    context.db.transaction().execute(async (db) => work(db, await findUserByEmail(db, email))),
  );
  context.mailQueued();
  return nothingToTell();
}

/** Minimum response time in ms, longer than storing an account or email, so it reveals nothing. */
const EQUAL_TIME = 120;

async function inEqualTime<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([
    work,
    new Promise((resolve) => setTimeout(resolve, EQUAL_TIME)),
  ]);
  return result;
}

/** Returns a request's user metadata; throws an AuthError if it isn't an object or is too large. */
export function metadataOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new AuthError(400, 'validation_failed', 'data must be an object');
  }
  if (Buffer.byteLength(JSON.stringify(value)) > LONGEST_METADATA) {
    throw new AuthError(400, 'validation_failed', 'data is too large');
  }
  return value as Record<string, unknown>;
}

/** The response to every registration. It's made up, so it reveals nothing about what's stored. */
function newcomerJson(email: string, data: Record<string, unknown>): Record<string, unknown> {
  const [id, now] = [randomUUID(), new Date()];
  const metadata = { ...data, sub: id, email, email_verified: false, phone_verified: false };
  const user = {
    id,
    email,
    confirmation_sent_at: now,
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    raw_user_meta_data: metadata,
    created_at: now,
    updated_at: now,
  };
  const identity = {
    id: randomUUID(),
    user_id: id,
    provider: 'email',
    provider_id: id,
    identity_data: metadata,
    email,
    last_sign_in_at: now,
    created_at: now,
    updated_at: now,
  };
  return userJson(user, [identity]);
}
