import { createHash } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { UNKNOWN_ADDRESS } from '../gateway/client-address.ts';
import { AuthError } from './errors.ts';

/** How often, in how long; `sign-in`, `code` and `mail` are Supabase's own numbers. */
const RULES = {
  signIn: { limit: 10, window: '1 minute' },
  /** Tries of one place that are looked at, whatever they are for. */
  signInFlood: { limit: 100, window: '1 minute' },
  /** How long to remember an address where someone has signed in. */
  known: { limit: 1, window: '60 days' },
  code: { limit: 15, window: '1 minute' },
  /** A code has a million values: at this pace a thief needs decades. */
  codeDaily: { limit: 100, window: '1 day' },
  /** With ten tries each (CODE_TRIES), 200 of a million guesses a day. */
  newCodes: { limit: 20, window: '1 day' },
  once: { limit: 1, window: '5 minutes' },
  mailed: { limit: 60, window: '1 minute' },
  mailPause: { limit: 1, window: '60 seconds' },
  mailHourly: { limit: 30, window: '1 hour' },
  /** Mail to many addresses from one place. */
  mailPlace: { limit: 60, window: '5 minutes' },
  /** Mail to one mailbox from one place, far below what private.mail_limits allows all places together. */
  mailShare: { limit: 10, window: '1 day' },
} as const;

type Rule = (typeof RULES)[keyof typeof RULES];

/** Limits of Auth; counted in Postgres, so that they hold across processes. */
export class Limits {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Counts a try to sign in, before its password is checked.
   * @returns `mayPass`, whether the right password counts: tries on this account matter, unless the
   * person has signed in from this address before; `isOver`, whether a wrong one is answered with a
   * reached limit; `succeeded`, which takes this try back and remembers the person's address.
   * @throws AuthError `over_request_rate_limit` where an address floods.
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
    // All are counted in any case: neither the response nor its timing reveals where someone signs in.
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

  /** Before a code of an authenticator app is checked. */
  async code(factorId: string, address: string): Promise<void> {
    await this.#needAt('code-from', address, RULES.code);
    await this.#need(name('code', factorId), RULES.code);
    await this.#need(name('code-day', factorId), RULES.codeDaily);
  }

  /** Whether this wasn't said before, for a few minutes: a code of an app is good once. */
  once(what: string): Promise<boolean> {
    return this.#take(name('once', what), RULES.once);
  }

  /** Before the secret of a link, or a code that was mailed, is checked. */
  mailed(address: string): Promise<void> {
    return this.#needAt('mailed-from', address, RULES.mailed);
  }

  /** Before an email is queued. The same whether or not the address has an account. */
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

  /** Whether an email can include another code, which can be guessed, unlike the link next to it. */
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

  /** A limit of an address. Behind a proxy that names no client, one visitor would use it up for all. */
  async #needAt(what: string, address: string, rule: Rule): Promise<void> {
    if (address !== UNKNOWN_ADDRESS) await this.#need(name(what, address), rule);
  }
}

/** Keys hold no address in clear. */
function name(what: string, who: string): string {
  return `auth:${what}:${createHash('sha256').update(who).digest('base64url').slice(0, 22)}`;
}

export function tooManyRequests(): AuthError {
  const sentence = 'Too many attempts. Wait a minute and try again.';
  return new AuthError(429, 'over_request_rate_limit', sentence);
}
