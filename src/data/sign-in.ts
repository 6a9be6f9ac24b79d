/** Signing up and signing in: the operations behind the account pages. */
import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import { authDataOf, settleAuth, toAuthError } from '#lib/auth-errors.ts';
import { AppError } from '#lib/errors.ts';
import { browserTimeZone } from '#lib/locale/time-zones.ts';
import { rpc } from '#lib/rpc.ts';
import type { BrowserDb } from '#lib/supabase.ts';

/** The result of a sign-in: done, or a second factor is required first. */
export type SignInOutcome = 'signed-in' | 'second-factor';

/** The kinds of email that link to /confirm. */
export type LinkType = 'signup' | 'email' | 'email_change' | 'recovery';

/** An absolute URL for an emailed link; the auth service only accepts URLs of this site. */
const back = (path: string) => new URL(path, location.origin).href;

export interface SignUpInput {
  email: string;
  password: string;
  fullName: string;
  businessName: string;
  /** The path on this site to open once the address is confirmed. */
  next: string;
  /** The language of the quiz, if it isn't English. */
  language?: Language | undefined;
  /** The key of a claim on quiz answers, see storeClaim. */
  quizClaim?: string;
}

/**
 * Creates an account, unconfirmed until the emailed link is opened. The result is the same if the
 * address is taken. Throws `invalid` (weak password) and `rate-limited`.
 * @returns whether the user is already signed in, because the backend requires no confirmation
 */
export async function signUp(db: BrowserDb, input: SignUpInput): Promise<boolean> {
  const timeZone = browserTimeZone();
  const answer = await db.auth.signUp({
    email: input.email,
    password: input.password,
    options: {
      emailRedirectTo: back(input.next),
      data: {
        full_name: input.fullName,
        ...(input.businessName ? { business_name: input.businessName } : {}),
        ...(timeZone ? { time_zone: timeZone } : {}),
        ...(input.language ? { locale: input.language } : {}),
        ...(input.quizClaim ? { quiz_claim: input.quizClaim } : {}),
      },
    },
  });
  return authDataOf(answer).session !== null;
}

/** Throws `invalid` for a wrong password and for an unconfirmed address, with the same message. */
export async function signInWithPassword(
  db: BrowserDb,
  input: { email: string; password: string },
): Promise<SignInOutcome> {
  settleAuth(await db.auth.signInWithPassword(input));
  return nextStep(db);
}

/** Sends a sign-in code. For an address without an account, it sends nothing, but also resolves. */
export async function sendCode(db: BrowserDb, email: string, next: string): Promise<void> {
  const { error } = await db.auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, emailRedirectTo: back(next) },
  });
  // These errors mean there's no account, which we must not reveal to a visitor.
  if (error && error.code !== 'otp_disabled' && error.code !== 'user_not_found') {
    throw toAuthError(error);
  }
}

/** Signs in with an emailed code. Throws `invalid` if it's wrong or has expired. */
export async function signInWithCode(
  db: BrowserDb,
  email: string,
  code: string,
): Promise<SignInOutcome> {
  settleAuth(await db.auth.verifyOtp({ email, token: code, type: 'email' }));
  return nextStep(db);
}

/** Signs in with the secret of an emailed link. Throws `invalid` if it was used or has expired. */
export async function openMailedLink(
  db: BrowserDb,
  tokenHash: string,
  type: LinkType,
): Promise<SignInOutcome> {
  settleAuth(await db.auth.verifyOtp({ token_hash: tokenHash, type }));
  return nextStep(db);
}

/** Resends the confirmation; the result is the same for every address. Throws `rate-limited`. */
export async function resendConfirmation(
  db: BrowserDb,
  email: string,
  next: string,
): Promise<void> {
  settleAuth(
    await db.auth.resend({ type: 'signup', email, options: { emailRedirectTo: back(next) } }),
  );
}

/** Sends a password-reset link; the result is the same for every address. Throws `rate-limited`. */
export async function sendRecovery(db: BrowserDb, email: string): Promise<void> {
  settleAuth(await db.auth.resetPasswordForEmail(email, { redirectTo: back('/update-password') }));
}

/** Sets the signed-in user's password. Throws `invalid` if it's weak or unchanged. */
export async function savePassword(db: BrowserDb, password: string): Promise<void> {
  settleAuth(await db.auth.updateUser({ password }));
}

async function nextStep(db: BrowserDb): Promise<SignInOutcome> {
  const data = authDataOf(await db.auth.mfa.getAuthenticatorAssuranceLevel());
  if (data.nextLevel === 'aal2' && data.currentLevel !== 'aal2') return 'second-factor';
  await takeBrowserTimeZone(db);
  return 'signed-in';
}

/** How long a sign-in waits for {@link takeBrowserTimeZone}. */
const TIME_ZONE_TIMEOUT_MS = 3_000;

/**
 * Sets the account's time zone to the browser's if it has none, before a page displays times. If
 * this fails, times are in UTC until the next sign-in.
 */
async function takeBrowserTimeZone(db: BrowserDb): Promise<void> {
  const timeZone = browserTimeZone();
  const { data } = await db.auth.getSession();
  if (timeZone === null || data.session === null) return;
  // Errors are ignored on purpose; PostgREST's promise resolves with them instead of rejecting.
  await db
    .from('profiles')
    .update({ time_zone: timeZone })
    .eq('user_id', data.session.user.id)
    .is('time_zone', null)
    .abortSignal(AbortSignal.timeout(TIME_ZONE_TIMEOUT_MS));
}

/**
 * Verifies the signed-in user's second factor: a six-digit code from any of their apps. Throws
 * `invalid` if it's no app's current code, `not-found` if the account has no app.
 */
export async function verifySecondFactor(db: BrowserDb, code: string): Promise<void> {
  const { totp } = authDataOf(await db.auth.mfa.listFactors());
  let failure: unknown = new AppError(
    'not-found',
    'This account no longer has an authenticator app.',
  );
  for (const { id } of totp) {
    const answer = await db.auth.mfa.challengeAndVerify({ factorId: id, code });
    if (!answer.error) return takeBrowserTimeZone(db);
    failure = answer.error;
    if (answer.error.code !== 'mfa_verification_failed') break;
  }
  throw toAuthError(failure);
}

/**
 * Uses up a recovery code instead of a second factor, which removes every authenticator app and
 * signs out the other devices. Throws `invalid` on `code`, `rate-limited` after ten tries an hour.
 */
export async function redeemRecoveryCode(db: BrowserDb, code: string): Promise<void> {
  const { used } = await rpc(db, 'use_recovery_code', v.object({ used: v.boolean() }), {
    p_code: code,
  });
  if (!used) {
    throw new AppError('invalid', 'That isn’t one of your codes, or you’ve used it before.', {
      field: 'code',
    });
  }
  // The session still names the apps; a refreshed one doesn't.
  await db.auth.refreshSession();
  return takeBrowserTimeZone(db);
}
