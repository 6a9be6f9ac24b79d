import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { PASSWORD_MIN } from '#backend/supabase/functions/_shared/schemas/account.ts';
import { AuthError } from './errors.ts';
import { type Limits, tooManyRequests } from './limits.ts';

/** bcrypt ignores everything past this many bytes. */
const MAXIMUM_BYTES = 72;

/** Work factor of Supabase Auth. */
const COST = 10;

/** Hash of a random password, compared if there's no account so both cases take equally long. */
const NOBODY = '$2b$10$uKTuRLr0uskGYR6C0X/TAOdOdS7vM.jun.U.dGnDKWLuQndL5cdsW';

/**
 * bcrypt runs on Node's four pool threads. This leaves one of them for file access, and one core
 * for everything else.
 */
const inThread = pLimit(Math.max(1, Math.min(3, availableParallelism() - 1)));

/** How many hashes may wait: about five seconds of work for one thread. */
const LONGEST_QUEUE = 64;

/** Why a password is too weak; these are Supabase Auth's names. */
type WeakReason = 'length' | 'characters' | 'pwned';

/**
 * Returns what's wrong with a password, or an empty list.
 * - `length`: fewer than ten characters.
 * - `pwned`: a common password, even with digits or symbols around it or look-alikes for letters.
 * - `characters`: contains the email address or its local part, or repeats one or two characters.
 */
async function weakReasons(password: string, email: string): Promise<WeakReason[]> {
  const reasons: WeakReason[] = [];
  if ([...password].length < PASSWORD_MIN) reasons.push('length');

  const lower = password.toLowerCase();
  const name = email.split('@')[0] ?? '';
  const containsAddress = lower.includes(email) || (name.length >= 4 && lower.includes(name));
  if (containsAddress || new Set(lower).size < 3) reasons.push('characters');

  if (isCommon(lower, await commonPasswords())) reasons.push('pwned');
  return reasons;
}

const SENTENCES: Record<WeakReason, string> = {
  length: `Use at least ${PASSWORD_MIN} characters.`,
  characters: 'Don’t use your email address, or the same character over and over.',
  pwned: 'This is one of the first passwords people try. Choose another.',
};

/** @throws AuthError `weak_password` with its reasons, or `validation_failed`. */
export async function assertStrong(password: unknown, email: string): Promise<string> {
  if (typeof password !== 'string' || password === '') {
    throw new AuthError(422, 'validation_failed', 'A password is required.');
  }
  if (Buffer.byteLength(password) > MAXIMUM_BYTES) {
    throw new AuthError(422, 'validation_failed', 'Password cannot be longer than 72 characters.');
  }
  const reasons = await weakReasons(password, email);
  if (reasons.length > 0) {
    const message = reasons.map((reason) => SENTENCES[reason]).join(' ');
    throw new AuthError(422, 'weak_password', message, { weak_password: { reasons, message } });
  }
  return password;
}

/** @throws AuthError `over_request_rate_limit` when too many passwords are waiting. */
export async function hashPassword(password: string): Promise<string> {
  return queued(() => bcrypt.hash(password, COST));
}

/**
 * Compares a password with a stored hash. Without a hash it takes the same time and returns false.
 * Throws as `hashPassword` does.
 */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  const matches = await queued(() => bcrypt.compare(password, stored || NOBODY));
  return matches && Boolean(stored);
}

async function queued<Result>(work: () => Promise<Result>): Promise<Result> {
  if (inThread.pendingCount >= LONGEST_QUEUE) throw tooManyRequests();
  return inThread(work);
}

/**
 * Checks a password within the rate limits; `stored` is its hash, or null if none can be right.
 * @throws AuthError `over_request_rate_limit`, for a wrong password too once a limit is reached.
 */
export async function provePassword(
  limits: Limits,
  who: { email: string; address: string },
  password: string,
  stored: string | null,
): Promise<boolean> {
  const attempt = await limits.signIn(who.email, who.address);
  const isRight = await passwordMatches(password, stored);
  if (isRight ? !attempt.mayPass : attempt.isOver) throw tooManyRequests();
  if (isRight) await attempt.succeeded();
  return isRight;
}

const SWAPS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function isCommon(lower: string, common: ReadonlySet<string>): boolean {
  const bare = stripEnds(lower);
  const spelled = (text: string) => text.replace(/[013457@$!]/g, (sign) => SWAPS[sign] ?? sign);
  return (
    [lower, bare, spelled(lower), stripEnds(spelled(bare)), twice(bare), twice(lower)].some(
      (form) => common.has(form),
    ) || isRun(lower)
  );
}

function stripEnds(text: string): string {
  return text.replace(/^[\d\W_]+|[\d\W_]+$/g, '');
}

/** `dragondragon` → `dragon`. */
function twice(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half.length >= 3 && half + half === text ? half : text;
}

const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
];

/** Whether the text is one run along the keyboard, alphabet or digits, in either direction. */
function isRun(text: string): boolean {
  const backwards = [...text].reverse().join('');
  return RUNS.some((run) => run.includes(text) || run.includes(backwards));
}

/** Passwords that people might choose here, in addition to the most common leaked ones. */
const OURS = `
  trellis mybusiness smallbusiness entrepreneur coaching newbusiness
  secretpassword testpassword superuser iloveyouforever linkedin instagram
  correcthorsebatterystaple correct-horse-battery-staple asdfghjklz abc12345678 1593572468 3141592653
`
  .trim()
  .split(/\s+/);

let passwords: Promise<ReadonlySet<string>> | undefined;

/** The passwords attackers try first, in lowercase: about 50,000, loaded on the first call. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  passwords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set([...dictionary['passwords-common'], ...OURS]),
  );
  return passwords;
}
