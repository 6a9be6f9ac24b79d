/** The session cookie: its name and format, for the HTTP server, the pages and the browser. */
import type { Session } from './supabase.ts';

/** `trellis-session`, or `.0`, `.1` … if it's split into chunks. */
export const SESSION_COOKIE = 'trellis-session';
/** 400 days, the longest that browsers keep a cookie. */
export const SESSION_COOKIE_SECONDS = 400 * 24 * 60 * 60;
/** Tells the site's other tabs that the person signed out on purpose or changed account data. */
export const ACCOUNT_CHANNEL = 'trellis-account';

const NAME = new RegExp(`^${SESSION_COOKIE}(\\.\\d+)?$`);

/** Whether a cookie holds the session or a chunk of it. */
export function isSessionCookie(name: string): boolean {
  return NAME.test(name);
}

/** Whether a `Cookie` header carries a session, which may have expired. */
export function hasSessionCookie(header: string | null | undefined): boolean {
  return (header ?? '')
    .split(';')
    .some((pair) => isSessionCookie(pair.split('=')[0]?.trim() ?? ''));
}

/** Parses a `Cookie` header into values by name. A value that can't be decoded stays as is. */
export function parseCookies(header: string | null | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at === -1) continue;
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, decoded(value));
  }
  return cookies;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A `Set-Cookie` value. `seconds` of 0 deletes the cookie. Not HttpOnly: the browser renews it. */
export function cookieLine(name: string, value: string, seconds: number, secure: boolean): string {
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Max-Age=${seconds}`,
    'Path=/',
    'SameSite=Lax',
  ];
  if (secure) parts.push('Secure');
  return parts.join('; ');
}

const PREFIX = 'base64-';
/** As @supabase/ssr splits them, so that all of them fit into a browser's 4 kB for a cookie. */
const CHUNK = 3180;
/** What can be sent in a header at all: three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The value of a cookie or, if it was split, of all of its chunks. */
function wholeValue(cookie: (name: string) => string | undefined): string {
  const whole = cookie(SESSION_COOKIE);
  if (whole) return whole;
  let value = '';
  for (let at = 0; ; at += 1) {
    const chunk = cookie(`${SESSION_COOKIE}.${at}`);
    if (!chunk) return value;
    value += chunk;
  }
}

/**
 * Reads the session from cookies that @supabase/ssr or `encodeSession` wrote; null if it's missing or
 * malformed. For the server.
 */
export function decodeSession(cookie: (name: string) => string | undefined): Session | null {
  const value = wholeValue(cookie);
  if (!value) return null;
  try {
    const json = value.startsWith(PREFIX)
      ? Buffer.from(value.slice(PREFIX.length), 'base64url').toString()
      : value;
    const session: unknown = JSON.parse(json);
    return isSession(session) && JWT.test(session.access_token) ? session : null;
  } catch {
    return null;
  }
}

/** Encodes a session as @supabase/ssr does: base64url, in chunks if it's long. For the server. */
export function encodeSession(
  session: Pick<Session, 'access_token' | 'refresh_token'>,
): { name: string; value: string }[] {
  const value = PREFIX + Buffer.from(JSON.stringify(session)).toString('base64url');
  if (value.length <= CHUNK) return [{ name: SESSION_COOKIE, value }];
  return Array.from({ length: Math.ceil(value.length / CHUNK) }, (_, at) => ({
    name: `${SESSION_COOKIE}.${at}`,
    value: value.slice(at * CHUNK, (at + 1) * CHUNK),
  }));
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
 * link or code), `totp`. Not verified: use it for display, never for permissions. For the server.
 */
export function proofsOf({
  access_token: token,
}: Session): { method: string; timestamp: number }[] {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    const { amr } = claims as { amr?: { method: string; timestamp: number }[] };
    return amr ?? [];
  } catch {
    return [];
  }
}
