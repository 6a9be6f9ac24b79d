/** The session cookie: its name and format, for the HTTP server, the pages and the browser. */

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
