/** How somebody signs in, where they are signed in, what there is about them, and leaving for good. */
import { dbApart } from '#lib/db.ts';
import { AppError, dataOf, toAppError } from '#lib/errors.ts';
import type { PasswordRenewal } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';
import { verifySecondFactor } from './session.ts';

/** An authenticator app that counts. */
export interface Factor {
  id: string;
  added_at: string;
}

/** A browser in which the person is signed in. */
export interface Device {
  id: string;
  signed_in_at: string;
  seen_at: string;
  user_agent: string | null;
  current: boolean;
}

export interface Account {
  email: string;
  /** An account has none when its address was confirmed elsewhere than where it was registered. */
  has_password: boolean;
  /** The address that waits for both mails to be answered. */
  new_email: string | null;
  new_email_sent_at: string | null;
  factors: Factor[];
  /** This one first; at most fifty. */
  sessions: Device[];
  deletion_due_at: string | null;
  last_admin: boolean;
  /** Businesses that nobody else belongs to, and businesses that another member inherits. */
  ending: string[];
  passing: { name: string; to: string | null }[];
}

function settle(answer: { error: unknown }): void {
  if (answer.error) throw toAppError(answer.error);
}

/** Everything that the page about the account shows. */
export async function getAccount(db: Db): Promise<Account> {
  return dataOf(await db.rpc('get_account')) as unknown as Account;
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
    throw new AppError('invalid', 'This is not your password.', { field: 'password' });
  }
  if (error) throw toAppError(error);
  try {
    return await act(apart);
  } finally {
    // A session that could not be ended for want of a connection stands among the devices.
    await apart.auth.signOut({ scope: 'local' }).catch(() => {});
  }
}

/**
 * Sets a new password for whoever has the present one; their other devices are signed out.
 * Throws `invalid` on `current` (not the present one) or `password` (weak, or the same).
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
    throw new AppError('invalid', 'This is not your present password.', { field: 'current' });
  }
  settle(await db.auth.updateUser({ password, current_password: current }));
}

/** Mails both addresses; the change takes effect when both mails are answered. Throws `rate-limited`. */
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
  const { data: known, error: unknown } = await db.auth.mfa.listFactors();
  if (unknown) throw toAppError(unknown);
  for (const { id, status } of known.all) {
    if (status === 'unverified') settle(await db.auth.mfa.unenroll({ factorId: id }));
  }
  const { data, error } = await db.auth.mfa.enroll({
    factorType: 'totp',
    issuer,
    // Supabase takes no two of the same name.
    friendlyName: `App of ${new Date().toISOString()}`,
  });
  if (error) throw toAppError(error);
  if (data.type !== 'totp') throw new AppError('unexpected');
  return { id: data.id, secret: data.totp.secret, uri: data.totp.uri };
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
  return dataOf(await db.rpc('end_session', { p_id: id })) as unknown as Device[];
}

/** Ends every session but this one. */
export async function endOtherDevices(db: Db): Promise<void> {
  settle(await db.auth.signOut({ scope: 'others' }));
}

// Everything about me -----------------------------------------------------------------------------

export interface StoredFile {
  bucket: string;
  path: string;
  /** As its owner called it. */
  name: string;
  size: number | null;
}

export interface Export {
  made_at: string;
  account: Record<string, unknown>;
  sessions: Device[];
  second_factors: Record<string, unknown>[];
  tables: Record<string, Record<string, unknown>[]>;
  files: StoredFile[];
}

/** Everything that the product knows about the person. Throws `rate-limited` after twenty an hour. */
export async function exportAccount(db: Db): Promise<Export> {
  return dataOf(await db.rpc('export_account')) as unknown as Export;
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
    dataOf(await proved.rpc('request_account_deletion')) as { deletion_due_at: string };
  if ('password' in proof) return (await provedByPassword(proof, ask)).deletion_due_at;
  await verifySecondFactor(db, proof.code);
  return (await ask(db)).deletion_due_at;
}

/** Takes the deletion back. */
export async function keepAccount(db: Db): Promise<void> {
  dataOf(await db.rpc('keep_account'));
}
