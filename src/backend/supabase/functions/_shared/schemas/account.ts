/** What the account forms accept; the form and the server share these rules. */
import * as v from 'valibot';
import { textUpTo } from './fields.ts';

/** Minimum length of a password; the auth service enforces it too. */
export const PASSWORD_MIN = 10;
/** bcrypt ignores everything past 72 bytes. */
const PASSWORD_MAX_BYTES = 72;

const bytes = (text: string) => new TextEncoder().encode(text).length;

/**
 * One address and nothing else: email apps read `x<ann@example.com>` and `x,ann@example.com` as
 * Ann's address, so one person could pose as many by spelling it differently.
 */
export const EMAIL =
  /^[^\s@<>"(),;:\\[\]\p{C}]+@[^\s@<>"(),;:\\[\]\p{C}]+\.[^\s@.<>"(),;:\\[\]\p{C}]+$/u;

export const email = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Enter your email address.'),
  v.maxLength(254, 'That email address is too long.'),
  v.regex(EMAIL, 'An email address looks like name@example.com.'),
);

const newPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`),
  v.check((value) => bytes(value) <= PASSWORD_MAX_BYTES, 'Keep it to 72 characters.'),
);

const code = v.pipe(v.string(), v.trim(), v.regex(/^\d{6}$/, 'Enter the six-digit code.'));

/** Twelve letters and digits, with any separators; use_recovery_code takes care of those. */
const recoveryCode = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(40, 'A recovery code has 12 letters and digits.'),
  v.check(
    (value) => value.replace(/[^0-9a-z]/gi, '').length === 12,
    'A recovery code has 12 letters and digits.',
  ),
);

export const fullName = v.pipe(textUpTo(120), v.minLength(1, 'Enter your name.'));

export const registration = v.object({
  fullName,
  email,
  password: newPassword,
  /** Name of the first business; none is created if it's empty. */
  businessName: textUpTo(120),
});

export const signIn = v.object({
  email,
  password: v.pipe(v.string(), v.minLength(1, 'Enter your password.')),
});

export const address = v.object({ email });
export const codeEntry = v.object({ code });
export const recoveryCodeEntry = v.object({ code: recoveryCode });
export const passwordChange = v.object({ password: newPassword });

export const passwordRenewal = v.object({
  current: v.pipe(v.string(), v.minLength(1, 'Enter your current password.')),
  password: newPassword,
});
export const passwordProof = v.object({
  password: v.pipe(v.string(), v.minLength(1, 'Enter your password.')),
});

export const profile = v.object({
  fullName,
  preferredName: textUpTo(60),
  phone: v.pipe(
    v.string(),
    v.trim(),
    v.regex(
      /^(\+?[0-9 ().-]{5,30}( ?x ?[0-9]{1,6})?)?$/,
      'Enter a phone number such as (505) 555-0142 or 505-555-0142 x 3.',
    ),
  ),
  /** IANA name; empty if the user hasn't chosen one. */
  timeZone: v.string(),
  /** The language of the quiz's results. */
  locale: v.string(),
  /** BCP 47, preferred first. */
  languages: v.pipe(v.array(v.string()), v.maxLength(8, 'Choose at most eight languages.')),
});

export const newBusiness = v.object({
  name: v.pipe(textUpTo(120), v.minLength(1, 'Give the business a name.')),
  trading: v.picklist(['trading', 'not-yet', '']),
  postalCode: v.pipe(
    textUpTo(16),
    v.regex(/^[A-Za-z0-9 -]*$/, 'Use only letters, digits and spaces.'),
  ),
  helpWanted: textUpTo(2000, 'Keep it to 2,000 characters.'),
  industry: textUpTo(120),
  stage: textUpTo(80),
});

export type Registration = v.InferOutput<typeof registration>;
export type SignIn = v.InferOutput<typeof signIn>;
export type PasswordRenewal = v.InferOutput<typeof passwordRenewal>;
export type Profile = v.InferOutput<typeof profile>;
export type NewBusiness = v.InferOutput<typeof newBusiness>;
