import { isSameKey } from '#backend/supabase/functions/_shared/requests.ts';
import { AuthError, authErrorResponse } from '../auth/errors.ts';
import { type AccessClaims, TokenError, type Tokens } from '../auth/tokens.ts';
import type { Keys } from '../keys.ts';
import type { Service } from './errors.ts';
import type { Caller } from './lite.ts';

/** Who sent a request, according to its key and token. */
export type Identity =
  | { kind: 'known'; caller: Caller; claims: AccessClaims | null }
  | { kind: 'no-key' }
  | { kind: 'wrong-key' }
  | { kind: 'secret-in-browser' }
  | { kind: 'bad-token'; reason: 'expired' | 'invalid' };

/** Verifies the key and access token; a bad token is rejected, instead of counting as none. */
export async function identify(
  request: Request,
  url: URL,
  keys: Keys,
  tokens: Tokens,
): Promise<Identity> {
  const key = request.headers.get('apikey') ?? url.searchParams.get('apikey');
  if (!key) return { kind: 'no-key' };
  const isSecret = isSameKey(key, keys.secretKey);
  if (!isSecret && !isSameKey(key, keys.publishableKey)) return { kind: 'wrong-key' };
  const fromPage = /^\s*Mozilla\//i.test(request.headers.get('user-agent') ?? '');
  if (isSecret && fromPage) return { kind: 'secret-in-browser' };

  const role = isSecret ? 'service_role' : 'anon';
  const visitor: Identity = { kind: 'known', caller: { role }, claims: null };
  const authorization = request.headers.get('authorization');
  if (!authorization) return visitor;
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!bearer) return { kind: 'bad-token', reason: 'invalid' };
  if (isSameKey(bearer, key)) return visitor;
  try {
    const claims = await tokens.verify(bearer);
    return { kind: 'known', caller: { ...claims }, claims };
  } catch (error) {
    if (error instanceof TokenError) return { kind: 'bad-token', reason: error.reason };
    throw error;
  }
}

/**
 * Whether a page of another site sent a request that changes something. Clients other than browsers
 * send neither header and pass. The request's Host counts as our own site, as `siteUrl` does.
 */
export function isCrossSite(request: Request, siteUrl: string): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return false;
  if (request.headers.get('sec-fetch-site') === 'cross-site') return true;
  const origin = request.headers.get('origin');
  if (origin === null) return false;
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return origin !== siteUrl && URL.parse(origin)?.host !== host;
}

export function crossSiteResponse(): Response {
  const message = 'Only from our own pages';
  return Response.json({ code: 'FORBIDDEN', error: 'Forbidden', message }, { status: 403 });
}

/** The 401 for a rejected caller, in the format of the service they called. */
export function unauthorizedResponse(
  service: Service,
  identity: Exclude<Identity, { kind: 'known' }>,
): Response {
  if (identity.kind !== 'bad-token')
    return Response.json(KEY_REFUSALS[identity.kind], { status: 401 });
  const message = identity.reason === 'expired' ? 'JWT expired' : 'JWT invalid';
  if (service === 'auth') {
    return authErrorResponse(
      new AuthError(401, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${message}`),
    );
  }
  if (service === 'rest') {
    const code = identity.reason === 'expired' ? 'PGRST303' : 'PGRST301';
    return Response.json(
      { code, message, details: null, hint: null },
      {
        status: 401,
        headers: {
          'www-authenticate': `Bearer error="invalid_token", error_description="${message}"`,
        },
      },
    );
  }
  if (service === 'storage') {
    return Response.json({ statusCode: '401', error: 'Unauthorized', message }, { status: 401 });
  }
  return Response.json({ code: 'UNAUTHORIZED_INVALID_JWT_FORMAT', message }, { status: 401 });
}

const KEY_REFUSALS = {
  'no-key': {
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  },
  'wrong-key': { message: 'Invalid API key', hint: 'Double check your Supabase `apikey`' },
  'secret-in-browser': { message: 'Forbidden use of secret API key in browser' },
};
