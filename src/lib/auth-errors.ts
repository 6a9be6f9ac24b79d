/** What the auth service says about signing in and passwords, in our words. */
import { AppError, dataOf, type ErrorKind, SENTENCES, toAppError } from './errors.ts';

type Told = [kind: ErrorKind, sentence: string, field?: string];
const EXPIRED: Told = [
  'invalid',
  'That code or link is wrong or has expired. Request a new one.',
  'code',
];
const WRONG_PASSWORD: Told = ['invalid', 'That email and password don’t match.', 'password'];

/** Error codes of the auth service. https://supabase.com/docs/guides/auth/debugging/error-codes */
const TOLD: Record<string, Told> = {
  invalid_credentials: WRONG_PASSWORD,
  // The same message, or someone who just registered could tell whether the address was taken.
  email_not_confirmed: WRONG_PASSWORD,
  weak_password: [
    'invalid',
    'That password is too easy to guess. Use at least 10 characters, and avoid common words.',
    'password',
  ],
  current_password_required: ['invalid', 'Enter your current password.', 'current'],
  current_password_mismatch: ['invalid', 'That isn’t your current password.', 'current'],
  same_password: ['invalid', 'That’s your current password. Choose a new one.', 'password'],
  email_address_invalid: ['invalid', 'That doesn’t look like an email address.', 'email'],
  email_address_not_authorized: ['invalid', 'We can’t send email to that address.', 'email'],
  otp_expired: EXPIRED,
  otp_disabled: EXPIRED,
  mfa_challenge_expired: ['invalid', 'That took too long. Enter the current code.', 'code'],
  mfa_verification_failed: ['invalid', 'That isn’t the current code.', 'code'],
  over_request_rate_limit: ['rate-limited', SENTENCES['rate-limited']],
  over_email_send_rate_limit: [
    'rate-limited',
    'We just sent you an email. Wait a minute before you ask for another.',
  ],
  signup_disabled: ['denied', 'New sign-ups are closed right now.'],
  user_banned: ['denied', 'This account is closed.'],
};

/** Like `toAppError`, for an error of the auth service. */
export function toAuthError(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const [kind, sentence, field] = TOLD[error.code ?? ''] ?? [];
  if (!kind || error.kind === 'network') return error;
  const options = { cause: thrown, ...(error.code && { code: error.code }) };
  return new AppError(kind, sentence, field ? { ...options, field } : options);
}

/** Throws an AppError if a call of the auth service failed. */
export function settleAuth(answer: { error: unknown }): void {
  if (answer.error) throw toAuthError(answer.error);
}

/** Returns the data of a call of the auth service. Throws like `settleAuth`. */
export function authDataOf<T>(answer: { data: T; error: unknown }): NonNullable<T> {
  settleAuth(answer);
  return dataOf(answer);
}
