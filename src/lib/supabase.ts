/**
 * Sessions and the client in browsers, which load this through `db.ts` after the first paint. Only
 * this module and server-client.ts import supabase-js and @supabase/ssr.
 */
import {
  type CookieMethodsBrowser,
  combineChunks,
  createBrowserClient,
  createChunks,
  parseCookieHeader,
  serializeCookieHeader,
  stringFromBase64URL,
  stringToBase64URL,
} from '@supabase/ssr';
import type { Session, SupabaseClient } from '@supabase/supabase-js';
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
export const patient = { retry: false };

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

const PREFIX = 'base64-';
/** What can be sent in a header at all: three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads the session from cookies that @supabase/ssr wrote; null if it's missing or malformed. */
export async function decodeSession(
  cookie: (name: string) => string | undefined,
): Promise<Session | null> {
  const value = await combineChunks(SESSION_COOKIE, (name) => cookie(name) ?? null);
  if (!value) return null;
  try {
    // Node's own decoder: that of @supabase/ssr goes by character, and this is done for every page.
    const json = value.startsWith(PREFIX)
      ? Buffer.from(value.slice(PREFIX.length), 'base64url').toString()
      : value;
    const session: unknown = JSON.parse(json);
    return isSession(session) && JWT.test(session.access_token) ? session : null;
  } catch {
    return null;
  }
}

/** Whether a value has the two tokens of a session. */
export const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'access_token' in value &&
  typeof value.access_token === 'string' &&
  'refresh_token' in value &&
  typeof value.refresh_token === 'string';

/**
 * How a session was authenticated, and when (seconds since 1970): `password`, `otp` (an emailed
 * link or code), `totp`. Not verified: use it for display, never for permissions.
 */
export function proofsOf({
  access_token: token,
}: Session): { method: string; timestamp: number }[] {
  try {
    const claims: unknown = JSON.parse(stringFromBase64URL(token.split('.')[1] ?? ''));
    const { amr } = claims as { amr?: { method: string; timestamp: number }[] };
    return amr ?? [];
  } catch {
    return [];
  }
}

/** Encodes a session as @supabase/ssr does: base64url, in chunks of 3,180 characters. */
export function encodeSession(
  session: Pick<Session, 'access_token' | 'refresh_token'>,
): { name: string; value: string }[] {
  return createChunks(SESSION_COOKIE, PREFIX + stringToBase64URL(JSON.stringify(session)));
}
