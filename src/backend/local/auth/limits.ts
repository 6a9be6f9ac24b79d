import { createHash } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { UNKNOWN_ADDRESS } from '../gateway/client-address.ts';
import { AuthError } from './errors.ts';

/** Attempts per time window; `signIn`, `code` and `mailHourly` are Supabase's own numbers. */
const RULES = {
  signIn: { limit: 10, window: '1 minute' },
  /** Attempts from one address, for any account; further ones are rejected unchecked. */
  signInFlood: { limit: 100, window: '1 minute' },
  /** How long we remember an address that a user has signed in from. */
  known: { limit: 1, window: '60 days' },
  code: { limit: 15, window: '1 minute' },
  /** There are a million possible codes: at this rate, guessing one takes decades. */
  codeDaily: { limit: 100, window: '1 day' },
  /** At ten tries per code (CODE_TRIES), that's 200 guesses a day among a million codes. */
  newCodes: { limit: 20, window: '1 day' },
  once: { limit: 1, window: '5 minutes' },
  mailed: { limit: 60, window: '1 minute' },
  mailPause: { limit: 1, window: '60 seconds' },
  mailHourly: { limit: 30, window: '1 hour' },
  /** Email to any recipients, requested from one address. */
  mailPlace: { limit: 60, window: '5 minutes' },
  /** Email to one mailbox from one address; private.mail_limits, for all of them, is far higher. */
  mailShare: { limit: 10, window: '1 day' },
} as const;

type Rule = (typeof RULES)[keyof typeof RULES];

/** Auth's rate limits, counted in Postgres so that they apply across processes. */
export class Limits {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Counts a sign-in attempt before its password is checked.
   * @returns `mayPass`: whether the right password is accepted. Over the account's limit it isn't,
   * unless the user has signed in from this address before. `isOver`: whether a wrong one gets a
   * rate limit error. `succeeded`: takes this attempt off the count and remembers the address.
   * @throws AuthError `over_request_rate_limit` when an address floods us.
   */
  async signIn(email: string, address: string) {
    const keys = {
      flood: name('sign-in-flood', address),
      place: name('sign-in-from', address),
      account: name('sign-in', email),
      home: name('sign-in-at', `${email} ${address}`),
    };
    const known = name('known', `${email} ${address}`);
    const isUnknown = address === UNKNOWN_ADDRESS;
    if (!isUnknown) await this.#need(keys.flood, RULES.signInFlood);
    // Count all of them every time, so the response and its timing don't reveal a known address.
    const placeIsFine = isUnknown || (await this.#take(keys.place, RULES.signIn));
    const accountIsFine = await this.#take(keys.account, RULES.signIn);
    const homeIsFine = await this.#take(keys.home, RULES.signIn);
    const isKnown = await queryOne(this.#db)`
      select from public.rate_limits where key = ${known} and expires_at > now()`;
    return {
      mayPass: accountIsFine || (isKnown !== undefined && homeIsFine),
      isOver: !placeIsFine || !accountIsFine,
      succeeded: async () => {
        await query(this.#db)`
          update public.rate_limits set hits = greatest(hits - 1, 0)
          where key = any(${Object.values(keys)})`;
        await this.#take(known, RULES.known);
      },
    };
  }

  /** Call it before checking a code from an authenticator app. */
  async code(factorId: string, address: string): Promise<void> {
    await this.#needAt('code-from', address, RULES.code);
    await this.#need(name('code', factorId), RULES.code);
    await this.#need(name('code-day', factorId), RULES.codeDaily);
  }

  /** Whether this is the first use within a few minutes: an authenticator code works only once. */
  once(what: string): Promise<boolean> {
    return this.#take(name('once', what), RULES.once);
  }

  /** Call it before checking the secret of an emailed link, or an emailed code. */
  mailed(address: string): Promise<void> {
    return this.#needAt('mailed-from', address, RULES.mailed);
  }

  /** Call it before queuing an email. It works the same for an address without an account. */
  async mail(kind: string, email: string, address: string): Promise<void> {
    await this.#needAt('mail-from', address, RULES.mailPlace);
    const mailbox = email.replace(/\+[^@]*@/, '@');
    const share = name('mail-share', `${mailbox} ${address}`);
    const inTime =
      (address === UNKNOWN_ADDRESS || (await this.#take(share, RULES.mailShare))) &&
      (await this.#take(name(`mail-${kind}`, email), RULES.mailPause)) &&
      (await this.#take(name('mail', email), RULES.mailHourly));
    if (inTime) return;
    const sentence =
      'We just sent an email to this address. Wait a minute before asking for another.';
    throw new AuthError(429, 'over_email_send_rate_limit', sentence);
  }

  /** Whether an email may include another code. Codes can be guessed, unlike the links. */
  newCode(db: Database, email: string): Promise<boolean> {
    return this.#take(name('code-mails', email), RULES.newCodes, db);
  }

  async #take(key: string, { limit, window }: Rule, db = this.#db): Promise<boolean> {
    const row = await queryOne<{ taken: boolean }>(db)`
      select private.take_rate_limit(${key}, ${limit}, ${window}::interval) as taken`;
    return row?.taken ?? false;
  }

  async #need(key: string, rule: Rule): Promise<void> {
    if (!(await this.#take(key, rule))) throw tooManyRequests();
  }

  /** Skips UNKNOWN_ADDRESS: everyone behind that proxy would share the limit. */
  async #needAt(what: string, address: string, rule: Rule): Promise<void> {
    if (address !== UNKNOWN_ADDRESS) await this.#need(name(what, address), rule);
  }
}

/** The key of a limit, with the address hashed so that it isn't stored in plain text. */
function name(what: string, who: string): string {
  return `auth:${what}:${createHash('sha256').update(who).digest('base64url').slice(0, 22)}`;
}

export function tooManyRequests(): AuthError {
  const sentence = 'Too many attempts. Wait a minute and try again.';
  return new AuthError(429, 'over_request_rate_limit', sentence);
}
