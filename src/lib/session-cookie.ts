/** The session cookie, known by its name to the server, the browser and the server alike. */

/** `trellis-session`, or `.0`, `.1` … where it had to be split. */
export const SESSION_COOKIE = 'trellis-session';
/** 400 days, the longest that browsers keep a cookie. */
export const SESSION_COOKIE_SECONDS = 400 * 24 * 60 * 60;
/** Tells all tabs of this site that the person signed out on purpose, or changed what is shown. */
export const ACCOUNT_CHANNEL = 'trellis-account';

const NAME = new RegExp(`^${SESSION_COOKIE}(\\.\\d+)?$`);

/** Whether a cookie carries the session or a part of it. */
export function isSessionCookie(name: string): boolean {
  return NAME.test(name);
}

/** Whether a `Cookie` header brings a session; it may still turn out to be over. */
export function hasSessionCookie(header: string | null | undefined): boolean {
  return (header ?? '')
    .split(';')
    .some((pair) => isSessionCookie(pair.split('=')[0]?.trim() ?? ''));
}

/** The cookies of a `Cookie` header by name; a value that cannot be decoded is kept as it is. */
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

/** One `Set-Cookie` line. `seconds` of 0 removes the cookie. Never HttpOnly: the browser renews it. */
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
