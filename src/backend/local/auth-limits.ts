import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import { AuthError } from './auth-errors.ts';
import { UNKNOWN_ADDRESS } from './client-address.ts';

/** Limits of Auth; counted in Postgres, so that they hold right across processes. */
export interface Limits {
  /** Before a password is looked at. */
  signIn(email: string, address: string): Promise<void>;
  /**
   * After a password was right: what this try took is given back, so that only failures count. From
   * then on this person is known at this address, where nobody who guesses elsewhere holds them up.
   */
  signedIn(email: string, address: string): Promise<void>;
  /** Before a code that someone typed is looked at. */
  code(email: string, address: string): Promise<void>;
  /** Whether nobody said this before, for a few minutes: a code of an app is good once. */
  once(what: string): Promise<boolean>;
  /** Before the secret of a link is looked at. */
  link(address: string): Promise<void>;
  /** Before a mail is written. The same whether the address has an account or not. */
  mail(kind: string, email: string, address: string): Promise<void>;
}

/** How often, in how long; `sign-in`, `code` and `mail` are Supabase's own numbers. */
const RULES = {
  signIn: { limit: 10, window: '1 minute' },
  /** How long an address is remembered at which somebody signed in. */
  known: { limit: 1, window: '60 days' },
  code: { limit: 15, window: '1 minute' },
  /** A code has a million values: at this pace a thief needs decades. */
  codeDaily: { limit: 100, window: '1 day' },
  once: { limit: 1, window: '5 minutes' },
  link: { limit: 60, window: '1 minute' },
  mailPause: { limit: 1, window: '60 seconds' },
  mailHourly: { limit: 30, window: '1 hour' },
  /** Mail to many addresses from one place. */
  mailPlace: { limit: 60, window: '5 minutes' },
} as const;

type Rule = (typeof RULES)[keyof typeof RULES];

/** @param sql connection to the database that holds `private.take_rate_limit`. */
export function createLimits(sql: Sql): Limits {
  async function take(key: string, rule: Rule): Promise<boolean> {
    const [row] = await sql<{ taken: boolean }[]>`
      select private.take_rate_limit(${key}, ${rule.limit}, ${rule.window}::interval) as taken
    `;
    return row?.taken ?? false;
  }

  async function need(key: string, rule: Rule): Promise<void> {
    if (!(await take(key, rule))) throw tooManyRequests();
  }

  /** A limit of a place. Behind a proxy that names nobody, one visitor would use it up for all. */
  async function needAt(what: string, address: string, rule: Rule): Promise<void> {
    if (address !== UNKNOWN_ADDRESS) await need(name(what, address), rule);
  }

  /** What a try to sign in counts for: the place first, whose refused tries are nobody else's. */
  async function signInKeys(email: string, address: string): Promise<string[]> {
    const known = await isCounted(sql, name('known', `${email} ${address}`));
    return [
      ...(address === UNKNOWN_ADDRESS ? [] : [name('sign-in-from', address)]),
      known ? name('sign-in-at', `${email} ${address}`) : name('sign-in', email),
    ];
  }

  return {
    async signIn(email, address) {
      for (const key of await signInKeys(email, address)) await need(key, RULES.signIn);
    },
    async signedIn(email, address) {
      await giveBack(sql, await signInKeys(email, address));
      await take(name('known', `${email} ${address}`), RULES.known);
    },
    async code(email, address) {
      await needAt('code-from', address, RULES.code);
      await need(name('code', email), RULES.code);
      await need(name('code-day', email), RULES.codeDaily);
    },
    once: (what) => take(name('once', what), RULES.once),
    async link(address) {
      await needAt('link-from', address, RULES.link);
    },
    async mail(kind, email, address) {
      await needAt('mail-from', address, RULES.mailPlace);
      const inTime =
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

async function isCounted(sql: Sql, key: string): Promise<boolean> {
  const rows = await sql`select from public.rate_limits where key = ${key} and expires_at > now()`;
  return rows.length > 0;
}

async function giveBack(sql: Sql, keys: string[]): Promise<void> {
  await sql`
    update public.rate_limits set hits = greatest(hits - 1, 0) where key in ${sql(keys)}
  `;
}

function tooManyRequests(): AuthError {
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
