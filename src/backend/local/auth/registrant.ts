import { createHmac, randomBytes } from 'node:crypto';
import type { AuthContext, AuthRequest } from './session.ts';

/**
 * Recognizes the client that registered an address when the address is confirmed, so that a
 * password counts only for the one who chose it. A browser is known by a cookie, a script by its
 * address and name.
 */

export const REGISTRATION_COOKIE = 'trellis-registration';
/** As long as a registration is stored: an hour, and a day for a link that's sent again. */
export const REGISTRATION_SECONDS = 25 * 3600;

/** The client of a request, as it's stored with a registration; null for a browser without the cookie. */
export function registrantOf(context: AuthContext, request: AuthRequest): string | null {
  if (!isBrowser(request)) return sealScript(context, request);
  const secret = secretIn(request);
  return secret === null ? null : seal(context, secret);
}

/** The client that registers, and the `Set-Cookie` that identifies it later, for a browser. */
export function newRegistrant(
  context: AuthContext,
  request: AuthRequest,
): { registrant: string; headers: Record<string, string> } {
  if (!isBrowser(request)) return { registrant: sealScript(context, request), headers: {} };
  const secret = secretIn(request) ?? randomBytes(32).toString('base64url');
  const attributes = [
    `${REGISTRATION_COOKIE}=${secret}`,
    'Path=/auth/v1',
    `Max-Age=${REGISTRATION_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(context.siteUrl.startsWith('https:') ? ['Secure'] : []),
  ];
  return { registrant: seal(context, secret), headers: { 'set-cookie': attributes.join('; ') } };
}

const isBrowser = ({ userAgent }: AuthRequest) => /^\s*Mozilla\//i.test(userAgent ?? '');

function secretIn({ cookie }: AuthRequest): string | null {
  const [, secret] = /(?:^|;\s*)trellis-registration=([\w-]{43})(?:;|$)/.exec(cookie ?? '') ?? [];
  return secret ?? null;
}

const sealScript = (context: AuthContext, { address, userAgent }: AuthRequest) =>
  seal(context, `${address}\n${userAgent ?? ''}`);

/** What is stored tells neither the secret nor an address. */
function seal(context: AuthContext, who: string): string {
  return createHmac('sha256', context.pepper).update(`registrant\n${who}`).digest('base64url');
}
