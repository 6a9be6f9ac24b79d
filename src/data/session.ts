/** Who a person is to the product: the commands of the account pages, each a function of the client. */
import { AppError, dataOf, settle, toAppError } from '#lib/errors.ts';
import { browserTimeZone } from '#lib/locale/time-zones.ts';
import type { AuthChangeEvent, Db, Session } from '#lib/supabase.ts';

export type { SessionFacts } from '#session/session-facts.ts';
export { readFacts as getSession } from '#session/session-facts.ts';

/** What became of a sign-in: done, or the second factor comes first. */
export type SignInOutcome = 'signed-in' | 'second-factor';

/** The kinds of email that lead to /confirm. */
export type LinkType = 'signup' | 'email' | 'email_change' | 'recovery';

/** Where an emailed link leads back to; the auth service only accepts addresses of this site. */
const back = (path: string) => new URL(path, location.origin).href;

export interface SignUpInput {
  email: string;
  password: string;
  fullName: string;
  businessName: string;
  /** The path on this site to go to once the address is confirmed. */
  next: string;
  /** The key of a claim on quiz answers, see storeClaim. */
  quizClaim?: string;
}

/**
 * Creates an account, unconfirmed until the email is answered. A taken address gives the same answer.
 * Throws `invalid` (weak password) and `rate-limited`.
 * @returns whether the person is signed in already, where the backend asks for no confirmation
 */
export async function signUp(db: Db, input: SignUpInput): Promise<boolean> {
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
        ...(input.quizClaim ? { quiz_claim: input.quizClaim } : {}),
      },
    },
  });
  return dataOf(answer).session !== null;
}

/** Throws `invalid` where address and password do not fit, or the address is not confirmed: in the same words. */
export async function signInWithPassword(
  db: Db,
  input: { email: string; password: string },
): Promise<SignInOutcome> {
  settle(await db.auth.signInWithPassword(input));
  return nextStep(db);
}

/** Sends a sign-in code. An address without an account gets the same answer, and no email. */
export async function sendCode(db: Db, email: string, next: string): Promise<void> {
  const { error } = await db.auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, emailRedirectTo: back(next) },
  });
  // Supabase tells that there is no account; a visitor must not learn it from us.
  if (error && error.code !== 'otp_disabled' && error.code !== 'user_not_found') {
    throw toAppError(error);
  }
}

/** Signs in with an emailed code. Throws `invalid` when it's wrong or has expired. */
export async function signInWithCode(db: Db, email: string, code: string): Promise<SignInOutcome> {
  settle(await db.auth.verifyOtp({ email, token: code, type: 'email' }));
  return nextStep(db);
}

/** Signs in with the secret of an emailed link. Throws `invalid` if it was used or has expired. */
export async function openMailedLink(
  db: Db,
  tokenHash: string,
  type: LinkType,
): Promise<SignInOutcome> {
  settle(await db.auth.verifyOtp({ token_hash: tokenHash, type }));
  return nextStep(db);
}

/** Sends the confirmation again; the same answer for every address. Throws `rate-limited`. */
export async function resendConfirmation(db: Db, email: string, next: string): Promise<void> {
  settle(await db.auth.resend({ type: 'signup', email, options: { emailRedirectTo: back(next) } }));
}

/** Sends a link for a new password; the same answer for every address. Throws `rate-limited`. */
export async function sendRecovery(db: Db, email: string): Promise<void> {
  settle(await db.auth.resetPasswordForEmail(email, { redirectTo: back('/update-password') }));
}

/** Sets the password of the person who is signed in. Throws `invalid` when it is weak or the same. */
export async function savePassword(db: Db, password: string): Promise<void> {
  settle(await db.auth.updateUser({ password }));
}

/** The id of the person whose session this browser holds; null without one. Throws `network`. */
export async function getUserId(db: Db): Promise<string | null> {
  const { data, error } = await db.auth.getSession();
  // A session that could not be renewed for want of a connection is not over.
  if (error && toAppError(error).kind === 'network') throw toAppError(error);
  return data.session?.user?.id ?? null;
}

async function nextStep(db: Db): Promise<SignInOutcome> {
  const data = dataOf(await db.auth.mfa.getAuthenticatorAssuranceLevel());
  if (data.nextLevel === 'aal2' && data.currentLevel !== 'aal2') return 'second-factor';
  await takeBrowserTimeZone(db);
  return 'signed-in';
}

/** Longest time that a sign-in waits for this. */
const TIME_ZONE_TIMEOUT_MS = 3_000;

/**
 * Gives an account that has no time zone yet that of this browser, before the first page with times.
 * One that was chosen stays. Where it fails, times are in UTC until the next sign-in.
 */
async function takeBrowserTimeZone(db: Db): Promise<void> {
  const timeZone = browserTimeZone();
  const { data } = await db.auth.getSession();
  if (timeZone === null || data.session === null) return;
  // An answer with an error is as good as none; PostgREST's promise is not rejected.
  await db
    .from('profiles')
    .update({ time_zone: timeZone })
    .eq('user_id', data.session.user.id)
    .is('time_zone', null)
    .abortSignal(AbortSignal.timeout(TIME_ZONE_TIMEOUT_MS));
}

/**
 * Shows the second factor of the person who is signed in: the six-digit code from any of their
 * apps. Throws `invalid` if none of the apps shows that code now.
 */
export async function verifySecondFactor(db: Db, code: string): Promise<void> {
  const { totp } = dataOf(await db.auth.mfa.listFactors());
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
  throw toAppError(failure);
}

/** What happened to the session, in this tab or in another one. */
export type SessionChange = AuthChangeEvent;

/**
 * Tells what happens to the session from now on, in every tab. Gives the function that stops it.
 * The listener must not ask `db` before it has returned.
 */
export function watchSession(
  db: Db,
  listener: (change: SessionChange, session: Session | null) => void,
): () => void {
  const { data } = db.auth.onAuthStateChange(listener);
  return () => data.subscription.unsubscribe();
}

/** Hands a renewed token to the open socket, which would otherwise be closed when the old one ends. */
export async function handTokenToSocket(db: Db, accessToken: string): Promise<void> {
  await db.realtime.setAuth(accessToken);
}
