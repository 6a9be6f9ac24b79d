import { isDatabaseError } from '../gateway/rest-errors.ts';
import { recover, requestCode, resend, signUp } from './accounts.ts';
import { AuthError, authErrorResponse, authJson } from './errors.ts';
import { answerFactors } from './factors.ts';
import type { AuthContext, AuthRequest } from './session.ts';
import { refreshSession, signInWithPassword } from './sign-in.ts';
import type { AccessClaims } from './tokens.ts';
import { changeUser, getUser, signOut } from './user.ts';
import { verify } from './verify.ts';

type Handler = (context: AuthContext, request: AuthRequest) => Response | Promise<Response>;

/**
 * The Auth API that supabase-js calls, on top of lite's `auth` tables. It replaces lite 0.10.0's
 * own handlers, which lack rate limits, equal response times and more. Endpoints that aren't listed
 * here, above all the admin API, don't exist.
 */
const ENDPOINTS: Record<string, Record<string, Handler>> = {
  '/signup': { POST: signUp },
  '/token': { POST: token },
  '/otp': { POST: requestCode },
  '/magiclink': { POST: requestCode },
  '/recover': { POST: recover },
  '/resend': { POST: resend },
  '/verify': { POST: verify },
  '/user': { GET: getUser, PUT: changeUser },
  '/logout': { POST: signOut },
  '/.well-known/jwks.json': { GET: jwks },
  '/settings': { GET: () => authJson(SETTINGS) },
  '/health': { GET: () => authJson({ name: 'GoTrue', description: 'Auth of the embedded stack' }) },
};

/** Endpoints that don't require an API key. */
export const OPEN_AUTH_PATHS = new Set(['/.well-known/jwks.json', '/health']);

const SETTINGS = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
  saml_enabled: false,
};

/** Handles one request below /auth/v1; `path` is the part after that. */
export async function answerAuth(
  context: AuthContext,
  path: string,
  request: Request,
  caller: { claims: AccessClaims | null; address: string },
): Promise<Response> {
  try {
    const methods = Object.hasOwn(ENDPOINTS, path) ? ENDPOINTS[path] : undefined;
    if (!methods && /^\/factors(\/|$)/.test(path)) {
      return await answerFactors(context, path, request.method, await read(request, caller));
    }
    if (!methods) return authJson({ code: 404, msg: 'Not found' }, 404);
    const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (!handler) {
      return authJson({ code: 405, msg: 'Method not allowed' }, 405, {
        allow: Object.keys(methods).join(', '),
      });
    }
    return await handler(context, await read(request, caller));
  } catch (error) {
    if (error instanceof AuthError) return authErrorResponse(error);
    // Class 22: a value that Postgres can't store, such as text with a zero byte.
    if (isDatabaseError(error) && error.code.startsWith('22')) {
      return authErrorResponse(new AuthError(400, 'validation_failed', 'A value is not valid.'));
    }
    throw error;
  }
}

async function read(
  request: Request,
  caller: { claims: AccessClaims | null; address: string },
): Promise<AuthRequest> {
  return {
    ...caller,
    body: request.method === 'GET' ? {} : await readBody(request),
    query: new URL(request.url).searchParams,
    userAgent: request.headers.get('user-agent'),
    cookie: request.headers.get('cookie'),
  };
}

function token(context: AuthContext, request: AuthRequest): Promise<Response> {
  const grant = request.query.get('grant_type');
  if (grant === 'password') return signInWithPassword(context, request);
  if (grant === 'refresh_token') return refreshSession(context, request);
  throw new AuthError(400, 'validation_failed', 'unsupported_grant_type');
}

function jwks(context: AuthContext): Response {
  return Response.json(context.tokens.jwks, {
    headers: { 'cache-control': 'public, max-age=600' },
  });
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>;
    }
  } catch {
    // Falls through to the error below.
  }
  throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON');
}
