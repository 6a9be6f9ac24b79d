import { createHash } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { UNKNOWN_ADDRESS } from '../gateway/client-address.ts';
import { AuthError } from './errors.ts';

/** One try to sign in, which is counted already. */
export interface SignInTry {
  /**
   * Whether the right password counts. What others at the same place got wrong doesn't matter; what was
   * tried on this account does, unless the person has signed in at this place before.
   */
  mayPass: boolean;
  /** Whether a limit is reached, which a wrong password is answered with wherever it comes from. */
  isOver: boolean;
  /**
   * After a right password: what this try took is given back, so that only failures count. From then
   * on this person is known at this place, where nobody who guesses elsewhere holds them up.
   */
  succeeded(): Promise<void>;
}

/** Limits of Auth; counted in Postgres, so that they hold right across processes. */
export interface Limits {
  /**
   * Before a password is looked at.
   * @throws AuthError `over_request_rate_limit` where a place floods; nothing is looked at then.
   */
  signIn(email: string, address: string): Promise<SignInTry>;
  /** Before a code of an authenticator app is looked at. */
  code(factorId: string, address: string): Promise<void>;
  /** Whether nobody said this before, for a few minutes: a code of an app is good once. */
  once(what: string): Promise<boolean>;
  /** Before the secret of a link, or a code that was mailed, is looked at. */
  mailed(address: string): Promise<void>;
  /** Before a mail is written. The same whether the address has an account or not. */
  mail(kind: string, email: string, address: string): Promise<void>;
  /** Whether a mail may hold one more code: each may be guessed at, unlike the link beside it. */
  newCode(db: Database, email: string): Promise<boolean>;
}

/** How often, in how long; `sign-in`, `code` and `mail` are Supabase's own numbers. */
const RULES = {
  signIn: { limit: 10, window: '1 minute' },
  /** Tries of one place that are looked at, whatever they are for. */
  signInFlood: { limit: 100, window: '1 minute' },
  /** How long an address is remembered at which somebody signed in. */
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

/** @param db the database that holds `private.take_rate_limit`. */
export function createLimits(db: Database): Limits {
  async function take(key: string, rule: Rule, asked: Database = db): Promise<boolean> {
    const row = await queryOne<{ taken: boolean }>(asked)`
      select private.take_rate_limit(${key}, ${rule.limit}, ${rule.window}::interval) as taken`;
    return row?.taken ?? false;
  }

  async function need(key: string, rule: Rule): Promise<void> {
    if (!(await take(key, rule))) throw tooManyRequests();
  }

  /** A limit of a place. Behind a proxy that names nobody, one visitor would use it up for all. */
  async function needAt(what: string, address: string, rule: Rule): Promise<void> {
    if (address !== UNKNOWN_ADDRESS) await need(name(what, address), rule);
  }

  return {
    async signIn(email, address) {
      const keys = {
        flood: name('sign-in-flood', address),
        place: name('sign-in-from', address),
        account: name('sign-in', email),
        home: name('sign-in-at', `${email} ${address}`),
      };
      const known = name('known', `${email} ${address}`);
      const isUnknown = address === UNKNOWN_ADDRESS;
      if (!isUnknown) await need(keys.flood, RULES.signInFlood);
      // All are taken in any case: neither the answer nor its time tells where somebody signs in.
      const placeIsFine = isUnknown || (await take(keys.place, RULES.signIn));
      const accountIsFine = await take(keys.account, RULES.signIn);
      const homeIsFine = await take(keys.home, RULES.signIn);
      const isKnown = await isCounted(db, known);
      return {
        mayPass: accountIsFine || (isKnown && homeIsFine),
        isOver: !placeIsFine || !accountIsFine,
        async succeeded() {
          await giveBack(db, Object.values(keys));
          await take(known, RULES.known);
        },
      };
    },
    async code(factorId, address) {
      await needAt('code-from', address, RULES.code);
      await need(name('code', factorId), RULES.code);
      await need(name('code-day', factorId), RULES.codeDaily);
    },
    once: (what) => take(name('once', what), RULES.once),
    async mailed(address) {
      await needAt('mailed-from', address, RULES.mailed);
    },
    newCode: (db, email) => take(name('code-mails', email), RULES.newCodes, db),
    async mail(kind, email, address) {
      await needAt('mail-from', address, RULES.mailPlace);
      const mailbox = email.replace(/\+[^@]*@/, '@');
      const share = name('mail-share', `${mailbox} ${address}`);
      const inTime =
        (address === UNKNOWN_ADDRESS || (await take(share, RULES.mailShare))) &&
        (await take(name(`mail-${kind}`, email), RULES.mailPause)) &&
        (await take(name('mail', email), RULES.mailHourly));
      if (!inTime) throw tooMuchMail();
    },
  };
}

/** Keys hold no address in clear. */
function name(what: string, who: string): string {
  return `auth:${what}:${createHash('sha256').update(who).digest('base64url').slice(0, 22)}`;
}

async function isCounted(db: Database, key: string): Promise<boolean> {
  const rows = await query(
    db,
  )`select from public.rate_limits where key = ${key} and expires_at > now()`;
  return rows.length > 0;
}

async function giveBack(db: Database, keys: string[]): Promise<void> {
  await query(db)`
    update public.rate_limits set hits = greatest(hits - 1, 0) where key = any(${keys})`;
}

/** The answer to somebody who tries too often. */
export function tooManyRequests(): AuthError {
  return new AuthError(
    429,
    'over_request_rate_limit',
    'Too many tries. Wait a minute and try again.',
  );
}

function tooMuchMail(): AuthError {
  return new AuthError(
    429,
    'over_email_send_rate_limit',
    'A mail went to this address just now. Wait a minute before asking for another.',
  );
}
