/** How a person signs in, on which devices, everything stored about them, and deleting the account. */
import * as v from 'valibot';
import { dbApart } from '#lib/db.ts';
import { AppError, dataOf, settle, toAppError } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { PasswordRenewal } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';
import { verifySecondFactor } from './session.ts';

/** An authenticator app that counts. */
export const factor = v.object({ id: v.string(), added_at: v.string() });
export type Factor = v.InferOutput<typeof factor>;

/** A browser in which the person is signed in. */
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
  /** An account has none when its address was confirmed elsewhere than where it was registered. */
  has_password: v.boolean(),
  /** The address that's waiting for both emails to be answered. */
  new_email: v.nullable(v.string()),
  new_email_sent_at: v.nullable(v.string()),
  factors: v.array(factor),
  /** This one first; at most fifty. */
  sessions: v.array(device),
  deletion_due_at: v.nullable(v.string()),
  last_admin: v.boolean(),
  /** Businesses that nobody else belongs to, and businesses that another member inherits. */
  ending: v.array(v.string()),
  passing: v.array(v.object({ name: v.string(), to: v.nullable(v.string()) })),
});
export type Account = v.InferOutput<typeof account>;

/** Everything that the page about the account shows. */
export async function getAccount(db: Db): Promise<Account> {
  return rpc(db, 'get_account', account);
}

// Password and address ----------------------------------------------------------------------------

/**
 * Does something in a session that was proved by the password just now, and ends that session.
 * Throws `invalid` on the field `password` when it is not theirs, `rate-limited` after ten tries.
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
  if (error) throw toAppError(error);
  try {
    return await act(apart);
  } finally {
    // A session that could not be ended without a connection is listed among the devices.
    await apart.auth.signOut({ scope: 'local' }).catch(() => {});
  }
}

/**
 * Sets a new password for a person who knows the current one; their other devices are signed out.
 * Throws `invalid` on `current` (not the current one) or `password` (weak, or the same).
 */
export async function changePassword(
  db: Db,
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
  settle(await db.auth.updateUser({ password, current_password: current }));
}

/** Emails both addresses; the change takes effect once both are answered. Throws `rate-limited`. */
export async function changeEmail(db: Db, email: string): Promise<void> {
  const emailRedirectTo = new URL('/dashboard/profile', location.origin).href;
  settle(await db.auth.updateUser({ email }, { emailRedirectTo }));
}

// The second factor -------------------------------------------------------------------------------

/** What an authenticator app needs: as a picture, and as text to type. */
export interface Enrolment {
  id: string;
  secret: string;
  uri: string;
}

/** Begins with an app; it counts once its first code was shown. Attempts that were given up go. */
export async function startFactor(db: Db, issuer: string): Promise<Enrolment> {
  for (const { id, status } of dataOf(await db.auth.mfa.listFactors()).all) {
    if (status === 'unverified') settle(await db.auth.mfa.unenroll({ factorId: id }));
  }
  // Supabase takes no two of the same name.
  const friendlyName = `App of ${new Date().toISOString()}`;
  const added = dataOf(await db.auth.mfa.enroll({ factorType: 'totp', issuer, friendlyName }));
  if (added.type !== 'totp') throw new AppError('unexpected');
  return { id: added.id, secret: added.totp.secret, uri: added.totp.uri };
}

/** Shows the first code of an app: from then on every sign-in asks for one. Throws `invalid`. */
export async function confirmFactor(db: Db, id: string, code: string): Promise<void> {
  settle(await db.auth.mfa.challengeAndVerify({ factorId: id, code }));
}

/** Removes an app after a code of any of them. Throws `invalid` on `code`. */
export async function removeFactor(db: Db, id: string, code: string): Promise<void> {
  await verifySecondFactor(db, code);
  settle(await db.auth.mfa.unenroll({ factorId: id }));
  // The token still says that a code was shown; the next one says how it is.
  await db.auth.refreshSession();
}

// Devices -----------------------------------------------------------------------------------------

/** Ends one other session. @returns those that are left. */
export async function endDevice(db: Db, id: string): Promise<Device[]> {
  return rpc(db, 'end_session', v.array(device), { p_id: id });
}

/** Ends every session but this one. */
export async function endOtherDevices(db: Db): Promise<void> {
  settle(await db.auth.signOut({ scope: 'others' }));
}

// Everything about me -----------------------------------------------------------------------------
export const storedFile = v.object({
  bucket: v.string(),
  path: v.string(),
  /** As its owner called it. */
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

/** Everything that the product knows about the person. Throws `rate-limited` after twenty an hour. */
export async function exportAccount(db: Db): Promise<Export> {
  return rpc(db, 'export_account', accountExport);
}

/** The content of one of those files; null where it is gone. */
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
 * Asks for the account to be deleted in 30 days. Where there is a second factor its code is the
 * proof, otherwise the password. Throws `invalid` on `password` or `code`, `conflict` for the last admin.
 * @returns when
 */
export async function requestDeletion(
  db: Db,
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
