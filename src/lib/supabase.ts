/**
 * The client in browsers, which load this through `db.ts` after the first paint. Only this module and
 * server-client.ts import supabase-js and @supabase/ssr, and the server imports no more than types
 * from here: it would load supabase-js twice, as two kinds of modules, and keep it (089).
 */
import {
  type CookieMethodsBrowser,
  createBrowserClient,
  parseCookieHeader,
  serializeCookieHeader,
} from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import { createClient } from '@supabase/supabase-js';
import { ANSWER_WITHIN_MS } from './answer-within.ts';
import type { AppConfig } from './app-config.ts';
import { writeCookie } from './browser/write-cookie.ts';
import type { Database } from './database.types.ts';
import { SESSION_COOKIE, SESSION_COOKIE_SECONDS } from './session-cookie.ts';
import { fetchWithDownloads } from './silence.ts';

export type { AuthChangeEvent, Session, User } from '@supabase/supabase-js';

/** What reads and writes data: a browser's client, or the server's for one request. */
export type Db = Pick<BrowserDb, 'rpc' | 'from' | 'storage' | 'functions'>;

/** A browser's client, which also signs in and listens. */
export type BrowserDb = SupabaseClient<Database>;

/** Phoenix closes a socket after 60 s of silence, so we send a heartbeat every 30. */
const HEARTBEAT_MS = 30_000;
/** Every request times out, except that a file download may take long while data keeps arriving. */
const limits = { timeout: ANSWER_WITHIN_MS, silence: ANSWER_WITHIN_MS };

// Otherwise supabase-js would retry a failed GET three times for each of our own three attempts.
const patient = { retry: false };

/**
 * The browser's cookies, except PKCE code verifiers: one would stay for 400 days after every email.
 * We don't need them, because our links carry a token hash and never exchange a code.
 */
const browserCookies: CookieMethodsBrowser = {
  getAll: () =>
    parseCookieHeader(document.cookie).map(({ name, value }) => ({ name, value: value ?? '' })),
  setAll: (cookies) => {
    for (const { name, value, options } of cookies) {
      if (name.endsWith('-code-verifier')) continue;
      writeCookie(serializeCookieHeader(name, value, options));
    }
  },
};

/**
 * A page's client. It stores the session in cookies that the server can read, renews it 90 s before
 * it expires, and notifies other tabs.
 */
export function browserClient(config: AppConfig): BrowserDb {
  return createBrowserClient<Database>(config.supabaseUrl, config.publishableKey, {
    cookieOptions: {
      name: SESSION_COOKIE,
      path: '/',
      sameSite: 'lax',
      maxAge: SESSION_COOKIE_SECONDS,
      secure: location.protocol === 'https:',
    },
    cookies: browserCookies,
    // Opening a link must not sign a person in without a click.
    auth: { detectSessionInUrl: false },
    db: patient,
    global: { fetch: fetchWithDownloads(limits) },
    realtime: { heartbeatIntervalMs: HEARTBEAT_MS },
  });
}

let apart = 0;

/** A client with a separate session that isn't stored, renewed or shared with other tabs. */
export function clientApart(config: AppConfig): BrowserDb {
  apart += 1;
  return createClient<Database>(config.supabaseUrl, config.publishableKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      // supabase-js warns when two clients have the same key.
      storageKey: `apart-${apart}`,
    },
    db: patient,
    global: { fetch: fetchWithDownloads(limits) },
  });
}
