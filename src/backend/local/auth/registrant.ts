import { createHmac, randomBytes } from 'node:crypto';
import type { AuthContext, AuthRequest } from './session.ts';

/**
 * Recognizes whether the client that confirms an email address is the one that registered it, so
 * that a stranger's password never takes effect. We identify a browser by a cookie, and a script by
 * its IP address and user agent.
 */

export const REGISTRATION_COOKIE = 'trellis-registration';
/** As long as a registration is stored: an hour while its link is valid, and a day to resend it. */
export const REGISTRATION_SECONDS = 25 * 3600;

/** A request's client, hashed as a registration stores it; null for a browser with no cookie. */
export function registrantOf(context: AuthContext, request: AuthRequest): string | null {
  if (!isBrowser(request)) return sealScript(context, request);
  const secret = secretIn(request);
  return secret === null ? null : seal(context, secret);
}

/** The client that registers, hashed, and for a browser the `Set-Cookie` to recognize it later. */
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

/** A keyed hash, so that the database reveals neither the cookie's secret nor an IP address. */
function seal(context: AuthContext, who: string): string {
  return createHmac('sha256', context.pepper).update(`registrant\n${who}`).digest('base64url');
}
