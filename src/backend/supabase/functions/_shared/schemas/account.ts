/** What the account forms accept; the same rules for the form and for whoever receives it. */
import * as z from 'zod/mini';

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

export const email = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter your email address.'),
    z.maxLength(254, 'This address is too long to be one.'),
    z.regex(EMAIL, 'An email address looks like name@example.com.'),
  );

const newPassword = z.string().check(
  z.minLength(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`),
  z.refine((value) => bytes(value) <= PASSWORD_MAX_BYTES, 'Use at most 72 characters.'),
);

const code = z.string().check(z.trim(), z.regex(/^\d{6}$/, 'The code has six digits.'));

export const fullName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Tell us how to address you.'),
    z.maxLength(120, 'Use at most 120 characters.'),
  );

export const registration = z.object({
  fullName,
  email,
  password: newPassword,
  /** Makes the first business where it is given. */
  businessName: z.string().check(z.trim(), z.maxLength(120, 'Use at most 120 characters.')),
});

export const signIn = z.object({
  email,
  password: z.string().check(z.minLength(1, 'Enter your password.')),
});

export const address = z.object({ email });
export const codeEntry = z.object({ code });
export const passwordChange = z.object({ password: newPassword });

export const passwordRenewal = z.object({
  current: z.string().check(z.minLength(1, 'Enter your present password.')),
  password: newPassword,
});
export const passwordProof = z.object({
  password: z.string().check(z.minLength(1, 'Enter your password.')),
});

export const profile = z.object({
  fullName,
  preferredName: z.string().check(z.trim(), z.maxLength(60, 'Use at most 60 characters.')),
  phone: z
    .string()
    .check(
      z.trim(),
      z.regex(
        /^(\+?[0-9 ().-]{5,30}( ?x ?[0-9]{1,6})?)?$/,
        'A telephone number has digits, such as +1 505 555 0142 or 505-555-0142 x 3.',
      ),
    ),
  /** IANA; empty where the person doesn't say. */
  timeZone: z.string(),
  /** BCP 47, best first. */
  languages: z.array(z.string()).check(z.maxLength(8, 'Choose at most eight languages.')),
});

export const newBusiness = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Give the business a name.'),
      z.maxLength(120, 'Use at most 120 characters.'),
    ),
  trading: z.enum(['trading', 'not-yet', '']),
  postalCode: z
    .string()
    .check(
      z.trim(),
      z.maxLength(16, 'A postal code has at most 16 characters.'),
      z.regex(/^[A-Za-z0-9 -]*$/, 'A postal code has letters, digits and spaces only.'),
    ),
  helpWanted: z.string().check(z.trim(), z.maxLength(2000, 'Keep it to 2,000 characters.')),
});

export type Registration = z.infer<typeof registration>;
export type SignIn = z.infer<typeof signIn>;
export type PasswordRenewal = z.infer<typeof passwordRenewal>;
export type Profile = z.infer<typeof profile>;
export type NewBusiness = z.infer<typeof newBusiness>;
