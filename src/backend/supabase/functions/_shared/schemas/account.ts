/** What the account forms accept; the same rules for the form and for whoever receives it. */
import * as v from 'valibot';
import { textUpTo } from './fields.ts';

/** Fewest characters of a password; the auth service refuses fewer as well. */
export const PASSWORD_MIN = 10;
/** bcrypt reads no further than 72 bytes. */
const PASSWORD_MAX_BYTES = 72;

const bytes = (text: string) => new TextEncoder().encode(text).length;

/**
 * One address and nothing else: a mail program takes `x<ann@example.com>` and `x,ann@example.com` for
 * Ann's, by as many spellings as somebody likes to count as different people.
 */
export const EMAIL =
  /^[^\s@<>"(),;:\\[\]\p{C}]+@[^\s@<>"(),;:\\[\]\p{C}]+\.[^\s@.<>"(),;:\\[\]\p{C}]+$/u;

export const email = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Enter your email address.'),
  v.maxLength(254, 'This address is too long to be one.'),
  v.regex(EMAIL, 'An email address looks like name@example.com.'),
);

const newPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`),
  v.check((value) => bytes(value) <= PASSWORD_MAX_BYTES, 'Use at most 72 characters.'),
);

const code = v.pipe(v.string(), v.trim(), v.regex(/^\d{6}$/, 'The code has six digits.'));

export const fullName = v.pipe(textUpTo(120), v.minLength(1, 'Tell us how to address you.'));

export const registration = v.object({
  fullName,
  email,
  password: newPassword,
  /** Makes the first business where it is given. */
  businessName: textUpTo(120),
});

export const signIn = v.object({
  email,
  password: v.pipe(v.string(), v.minLength(1, 'Enter your password.')),
});

export const address = v.object({ email });
export const codeEntry = v.object({ code });
export const passwordChange = v.object({ password: newPassword });

export const passwordRenewal = v.object({
  current: v.pipe(v.string(), v.minLength(1, 'Enter your present password.')),
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
      'A telephone number has digits, such as +1 505 555 0142 or 505-555-0142 x 3.',
    ),
  ),
  /** IANA; empty where the person doesn't say. */
  timeZone: v.string(),
  /** BCP 47, best first. */
  languages: v.pipe(v.array(v.string()), v.maxLength(8, 'Choose at most eight languages.')),
});

export const newBusiness = v.object({
  name: v.pipe(textUpTo(120), v.minLength(1, 'Give the business a name.')),
  trading: v.picklist(['trading', 'not-yet', '']),
  postalCode: v.pipe(
    textUpTo(16, 'A postal code has at most 16 characters.'),
    v.regex(/^[A-Za-z0-9 -]*$/, 'A postal code has letters, digits and spaces only.'),
  ),
  helpWanted: textUpTo(2000, 'Keep it to 2,000 characters.'),
});

export type Registration = v.InferOutput<typeof registration>;
export type SignIn = v.InferOutput<typeof signIn>;
export type PasswordRenewal = v.InferOutput<typeof passwordRenewal>;
export type Profile = v.InferOutput<typeof profile>;
export type NewBusiness = v.InferOutput<typeof newBusiness>;
