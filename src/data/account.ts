/** The user's account: credentials, second factor, devices, data export and deletion. */
import * as v from 'valibot';
import { authDataOf, settleAuth, toAuthError } from '#lib/auth-errors.ts';
import { dbApart } from '#lib/db.ts';
import { AppError, toAppError } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { PasswordRenewal } from '#lib/schemas/account.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';
import { verifySecondFactor } from './sign-in.ts';

/** A verified authenticator app. */
export const factor = v.object({ id: v.string(), added_at: v.string() });
export type Factor = v.InferOutput<typeof factor>;

/** How many recovery codes are left, and since when. */
const recoveryCodes = v.nullable(v.object({ left: v.number(), made_at: v.string() }));

/** A browser that the user is signed in with. */
export const device = v.object({
  id: v.string(),
  signed_in_at: v.string(),
  seen_at: v.string(),
  user_agent: v.nullable(v.string()),
  current: v.boolean(),
});
export type Device = v.InferOutput<typeof device>;

export const account = v.object({
  email: v.string(),
  /** False if the address was confirmed in a different browser than it was registered with. */
  has_password: v.boolean(),
  /** A requested address, pending until the links in both emails are opened. */
  new_email: v.nullable(v.string()),
  new_email_sent_at: v.nullable(v.string()),
  factors: v.array(factor),
  /** Null if there are none. */
  recovery_codes: recoveryCodes,
  /** The current one first; at most fifty. */
  sessions: v.array(device),
  deletion_due_at: v.nullable(v.string()),
  last_admin: v.boolean(),
  /** Businesses that end because they have no other members, and those another member inherits. */
  ending: v.array(v.string()),
  passing: v.array(v.object({ name: v.string(), to: v.nullable(v.string()) })),
});
export type Account = v.InferOutput<typeof account>;

/** Everything the account page shows. */
export async function getAccount(db: Db): Promise<Account> {
  return rpc(db, 'get_account', account);
}

// Password and address ----------------------------------------------------------------------------

/**
 * Runs `act` in a fresh session signed in with the password, and then ends that session.
 * Throws `invalid` on `password` if it's wrong, `rate-limited` after ten tries.
 */
async function provedByPassword<Result>(
  proof: { email: string; password: string },
  act: (db: Db) => Promise<Result>,
): Promise<Result> {
  const apart = await dbApart();
  const { error } = await apart.auth.signInWithPassword(proof);
  if (error?.code === 'invalid_credentials') {
    throw new AppError('invalid', 'That isn’t your password.', { field: 'password' });
  }
  if (error) throw toAuthError(error);
  try {
    return await act(apart);
  } finally {
    // If this fails for lack of a connection, the session shows up in the user's list of devices.
    await apart.auth.signOut({ scope: 'local' }).catch(() => {});
  }
}

/**
 * Sets a new password for a user who knows the current one, and signs out their other devices.
 * Throws `invalid` on `current` (wrong) or `password` (weak, or unchanged).
 */
export async function changePassword(
  db: BrowserDb,
  email: string,
  { current, password }: PasswordRenewal,
): Promise<void> {
  try {
    await provedByPassword({ email, password: current }, async () => {});
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.field !== 'password') throw error;
    throw new AppError('invalid', 'That isn’t your current password.', { field: 'current' });
  }
  settleAuth(await db.auth.updateUser({ password, current_password: current }));
}

/** Emails both addresses; opening both links completes the change. Throws `rate-limited`. */
export async function changeEmail(db: BrowserDb, email: string): Promise<void> {
  const emailRedirectTo = new URL('/dashboard/profile/security', location.origin).href;
  settleAuth(await db.auth.updateUser({ email }, { emailRedirectTo }));
}

/** Sends both emails of a change of address again. Throws `rate-limited`. */
export async function resendEmailChange(db: BrowserDb, email: string): Promise<void> {
  const emailRedirectTo = new URL('/dashboard/profile/security', location.origin).href;
  settleAuth(await db.auth.resend({ type: 'email_change', email, options: { emailRedirectTo } }));
}

// The second factor -------------------------------------------------------------------------------

/** What an authenticator app needs: `uri` for a QR code, `secret` to type. */
export interface Enrolment {
  id: string;
  secret: string;
  uri: string;
}

/** Starts enrolling an app, and discards abandoned tries. {@link confirmFactor} completes it. */
export async function startFactor(db: BrowserDb, issuer: string): Promise<Enrolment> {
  for (const { id, status } of authDataOf(await db.auth.mfa.listFactors()).all) {
    if (status === 'unverified') settleAuth(await db.auth.mfa.unenroll({ factorId: id }));
  }
  // Supabase requires unique names.
  const friendlyName = `App of ${new Date().toISOString()}`;
  const added = authDataOf(await db.auth.mfa.enroll({ factorType: 'totp', issuer, friendlyName }));
  if (added.type !== 'totp') throw new AppError('unexpected');
  return { id: added.id, secret: added.totp.secret, uri: added.totp.uri };
}

/** Verifies an app's first code; from then on, every sign-in requires one. Throws `invalid`. */
export async function confirmFactor(db: BrowserDb, id: string, code: string): Promise<void> {
  settleAuth(await db.auth.mfa.challengeAndVerify({ factorId: id, code }));
}

/** Removes an app, given a code from any of the user's apps. Throws `invalid` on `code`. */
export async function removeFactor(db: BrowserDb, id: string, code: string): Promise<void> {
  await verifySecondFactor(db, code);
  settleAuth(await db.auth.mfa.unenroll({ factorId: id }));
  // The current token still claims a second factor (aal2); a refreshed one doesn't.
  await db.auth.refreshSession();
}

/** Makes ten new recovery codes, shown only this once; older ones stop working. Throws an AppError. */
export const makeRecoveryCodes = (db: Db) =>
  rpc(
    db,
    'make_recovery_codes',
    v.object({ codes: v.array(v.string()), recovery_codes: recoveryCodes }),
  );

// Devices -----------------------------------------------------------------------------------------

/** Ends one other session. @returns the remaining ones */
export async function endDevice(db: Db, id: string): Promise<Device[]> {
  return rpc(db, 'end_session', v.array(device), { p_id: id });
}

/** Ends every session except this one. */
export async function endOtherDevices(db: BrowserDb): Promise<void> {
  settleAuth(await db.auth.signOut({ scope: 'others' }));
}

// Everything about me -----------------------------------------------------------------------------
export const storedFile = v.object({
  bucket: v.string(),
  path: v.string(),
  /** The name the user gave it. */
  name: v.string(),
  size: v.nullable(v.number()),
});
export type StoredFile = v.InferOutput<typeof storedFile>;

export const accountExport = v.object({
  made_at: v.string(),
  account: v.record(v.string(), v.unknown()),
  sessions: v.array(device),
  second_factors: v.array(v.record(v.string(), v.unknown())),
  tables: v.record(v.string(), v.array(v.record(v.string(), v.unknown()))),
  files: v.array(storedFile),
});
export type Export = v.InferOutput<typeof accountExport>;

/** Exports everything stored about the user. Throws `rate-limited` after twenty an hour. */
export async function exportAccount(db: Db): Promise<Export> {
  return rpc(db, 'export_account', accountExport);
}

/** Downloads one of those files; null if it's gone. */
export async function getFile(db: Db, { bucket, path }: StoredFile): Promise<Uint8Array | null> {
  const { data, error } = await db.storage.from(bucket).download(path);
  if (error) {
    const failure = toAppError(error);
    if (failure.kind === 'not-found' || failure.kind === 'invalid') return null;
    throw failure;
  }
  return new Uint8Array(await data.arrayBuffer());
}

// Leaving -----------------------------------------------------------------------------------------

/**
 * Schedules the account's deletion in 30 days. Requires a code from the second factor if there is
 * one, otherwise the password. Throws `invalid` on `password` or `code`, and `conflict` for the
 * last admin.
 * @returns when it's due
 */
export async function requestDeletion(
  db: BrowserDb,
  proof: { code: string } | { email: string; password: string },
): Promise<string> {
  const ask = async (proved: Db) =>
    rpc(proved, 'request_account_deletion', v.object({ deletion_due_at: v.string() }));
  if ('password' in proof) return (await provedByPassword(proof, ask)).deletion_due_at;
  await verifySecondFactor(db, proof.code);
  return (await ask(db)).deletion_due_at;
}

/** Cancels the deletion. */
export async function keepAccount(db: Db): Promise<void> {
  await rpc(db, 'keep_account', ignored);
}
