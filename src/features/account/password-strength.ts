import { PASSWORD_MIN } from '#lib/schemas/account.ts';

export type Strength = 'empty' | 'short' | 'weak' | 'fair' | 'strong';

export interface StrengthHint {
  strength: Strength;
  /** The text under the field. */
  words: string;
}

/** From here on, length alone makes a password hard to guess (NIST SP 800-63B-4 asks for 15). */
const LONG = 15;

/**
 * Rates a password as the user types. Only a hint: the auth service, which also knows the common
 * passwords, decides.
 */
export function strengthOf(password: string, email: string): StrengthHint {
  const length = [...password].length;
  if (length === 0) {
    return {
      strength: 'empty',
      words: `At least ${PASSWORD_MIN} characters. Three random words work well.`,
    };
  }
  const missing = PASSWORD_MIN - length;
  if (missing > 0) {
    return {
      strength: 'short',
      words: missing === 1 ? 'One more character.' : `${missing} more characters.`,
    };
  }
  const lower = password.toLowerCase();
  const name = email.trim().toLowerCase().split('@')[0] ?? '';
  if (name.length >= 4 && lower.includes(name)) {
    return { strength: 'weak', words: 'Easy to guess: it contains your email.' };
  }
  const different = new Set(lower).size;
  if (different < 5) return { strength: 'weak', words: 'Easy to guess: it repeats itself.' };
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) =>
    kind.test(password),
  ).length;
  if (length >= LONG || (length >= PASSWORD_MIN + 2 && kinds >= 3)) {
    return { strength: 'strong', words: 'Strong.' };
  }
  return { strength: 'fair', words: 'Long enough. Longer is better.' };
}
