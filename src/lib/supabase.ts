/**
 * The only module that imports supabase-js and @supabase/ssr.
 * In a browser it is loaded through `db.ts`, after the first paint.
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
import { patientFetch } from './http.ts';
import { SESSION_COOKIE, SESSION_COOKIE_SECONDS } from './session-cookie.ts';

export type { AuthChangeEvent, Session, User } from '@supabase/supabase-js';

export type Db = SupabaseClient<Database>;

/** Phoenix closes a socket that is silent for 60 s; the product beats every 30. */
const HEARTBEAT_MS = 30_000;
/** A page is answered within 10 seconds, whatever becomes of the backend. */
const SERVER_TIMEOUT_MS = 9_000;
/** No request waits forever; a file may take long, as long as data arrives. */
const limits = { timeout: ANSWER_WITHIN_MS, silence: ANSWER_WITHIN_MS };

// supabase-js would repeat a failed GET three times more under our own three attempts.
const patient = { retry: false };

/**
 * The browser's cookies without the secrets of the PKCE flow, one of which would stay for 400 days
 * after every mail: our links carry a token hash, so that nothing is ever exchanged for a code.
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
 * The client of one browser page. It keeps the session in cookies that the server can read, renews it
 * 90 s before it ends and tells the other tabs.
 */
export function browserClient(config: AppConfig): Db {
  return createBrowserClient<Database>(config.supabaseUrl, config.publishableKey, {
    cookieOptions: {
      name: SESSION_COOKIE,
      path: '/',
      sameSite: 'lax',
      maxAge: SESSION_COOKIE_SECONDS,
      secure: location.protocol === 'https:',
    },
    cookies: browserCookies,
    // Opening a link must not sign a person in by itself.
    auth: { detectSessionInUrl: false },
    db: patient,
    global: { fetch: patientFetch(limits) },
    realtime: { heartbeatIntervalMs: HEARTBEAT_MS },
  });
}

let apart = 0;

/** A client with a session of its own: not stored, not renewed, not shared with other tabs. */
export function clientApart(config: AppConfig): Db {
  apart += 1;
  return createClient<Database>(config.supabaseUrl, config.publishableKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      // supabase-js warns of two clients with one key.
      storageKey: `apart-${apart}`,
    },
    db: patient,
    global: { fetch: patientFetch(limits) },
  });
}

/**
 * The client of one request to the server, speaking for the person whose access token it is given,
 * or for a visitor. It neither keeps nor renews a session: `session.ts` has done that before.
 * @param deadline when all that it asks ends, so that the request is answered in time
 */
export function serverClient(
  config: AppConfig,
  accessToken: string | null,
  deadline: AbortSignal,
): Db {
  return createClient<Database>(config.supabaseUrl, config.publishableKey, {
    accessToken: async () => accessToken,
    db: patient,
    global: { fetch: patientFetch({ signal: deadline }) },
  });
}

/** When a request that came in now must have asked all that it wants to know. */
export const serverDeadline = (): AbortSignal => AbortSignal.timeout(SERVER_TIMEOUT_MS);

let verifier: { url: string; client: Db } | undefined;

/** A client without a session, kept for the keys that it caches for ten minutes. */
function verifierOf(config: AppConfig): Db {
  if (verifier?.url !== config.supabaseUrl) {
    const client = createClient<Database>(config.supabaseUrl, config.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: patientFetch({ timeout: SERVER_TIMEOUT_MS }) },
    });
    verifier = { url: config.supabaseUrl, client };
  }
  return verifier.client;
}

export type ClaimsAnswer = { state: 'valid' } | { state: 'refused' } | { state: 'unknown' };

/**
 * Verifies an access token with the public keys of the auth service, locally once they are known.
 * `unknown` means that the server couldn't be reached, which says nothing about the token.
 */
export async function verifyToken(config: AppConfig, token: string): Promise<ClaimsAnswer> {
  const { data, error } = await verifierOf(config).auth.getClaims(token);
  if (data) return { state: 'valid' };
  const status = error?.status ?? 0;
  const asked = error !== null && error.name !== 'AuthRetryableFetchError' && status < 500;
  return { state: asked && status !== 429 ? 'refused' : 'unknown' };
}

const PREFIX = 'base64-';

/** Reads a session out of cookies as @supabase/ssr writes them; null where there is none that fits. */
export async function decodeSession(
  cookie: (name: string) => string | undefined,
): Promise<Session | null> {
  const value = await combineChunks(SESSION_COOKIE, (name) => cookie(name) ?? null);
  if (!value) return null;
  try {
    const json = value.startsWith(PREFIX) ? stringFromBase64URL(value.slice(PREFIX.length)) : value;
    const session: unknown = JSON.parse(json);
    return isSession(session) ? session : null;
  } catch {
    return null;
  }
}

/** Whether it holds the two tokens of a session. */
export const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'access_token' in value &&
  typeof value.access_token === 'string' &&
  'refresh_token' in value &&
  typeof value.refresh_token === 'string';

/**
 * How a session was proved, and when (seconds since 1970): `password`, `otp` (a mailed link or code),
 * `totp`. Read, not verified: good for what a page shows, not for permissions.
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

/** Writes a session the way @supabase/ssr does: base64url, in chunks of 3,180 characters. */
export function encodeSession(
  session: Pick<Session, 'access_token' | 'refresh_token'>,
): { name: string; value: string }[] {
  return createChunks(SESSION_COOKIE, PREFIX + stringToBase64URL(JSON.stringify(session)));
}
