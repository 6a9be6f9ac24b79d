import { errors, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { isLoopbackName } from '../gateway/client-address.ts';
import type { Keys } from '../keys.ts';

/** How long an access token is valid, in seconds; Supabase's default. */
export const ACCESS_TOKEN_SECONDS = 3600;
/** How many verified tokens are remembered; a token takes about 2 kB. */
const REMEMBERED = 5_000;

/** One way the session was authenticated; a list has the newest first. */
export interface AuthenticationMethod {
  method: 'password' | 'otp' | 'totp';
  /** Seconds since 1970. */
  timestamp: number;
}

/** The claims of an access token, the same as Supabase's; `request.jwt.claims` in the database. */
export interface AccessClaims {
  iss: string;
  sub: string;
  aud: 'authenticated';
  exp: number;
  iat: number;
  email: string;
  phone: string;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  role: 'authenticated';
  aal: 'aal1' | 'aal2';
  amr: AuthenticationMethod[];
  session_id: string;
  is_anonymous: boolean;
}

export class TokenError extends Error {
  readonly reason: 'expired' | 'invalid';

  constructor(reason: 'expired' | 'invalid') {
    super(reason === 'expired' ? 'JWT expired' : 'JWT invalid');
    this.reason = reason;
  }
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks the claims that show a verified token is ours; the signature vouches for the others. */
const isAccessClaims = (payload: JWTPayload): payload is JWTPayload & AccessClaims =>
  payload.role === 'authenticated' &&
  UUID.test(String(payload.sub)) &&
  UUID.test(String(payload.session_id));

/**
 * Signs and verifies access tokens with the data folder's ES256 key; supabase-js can verify them.
 * @param siteUrl origin of the site; the issuer is `<siteUrl>/auth/v1`.
 */
export async function createTokens(keys: Keys, siteUrl: string) {
  const { kid } = keys.signingKey;
  const issuer = `${siteUrl.replace(/\/+$/, '')}/auth/v1`;
  const { d: _secret, ...publicJwk } = keys.signingKey;
  const privateKey = await importJWK(keys.signingKey, 'ES256');
  const publicKey = await importJWK(publicJwk, 'ES256');
  const verified = new LRUCache<string, AccessClaims>({ max: REMEMBERED });

  return {
    issuer,
    /** The public half of the signing key, as `/auth/v1/.well-known/jwks.json` returns it. */
    jwks: { keys: [{ ...publicJwk, key_ops: ['verify'], ext: true }] },

    /** Signs an access token that's valid for an hour; `expiresAt` is in seconds since 1970. */
    async sign(claims: Omit<AccessClaims, 'iss' | 'aud' | 'exp' | 'iat' | 'role'>) {
      const iat = Math.floor(Date.now() / 1000);
      const expiresAt = iat + ACCESS_TOKEN_SECONDS;
      const token = await new SignJWT({ ...claims, role: 'authenticated' })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience('authenticated')
        .setIssuedAt(iat)
        .setExpirationTime(expiresAt)
        .sign(privateKey);
      return { token, expiresAt };
    },

    /**
     * Returns the claims of a token signed here; throws a TokenError for any other. A signature is
     * verified once: it can't become invalid before the token expires. Whether the session has
     * ended is for the database to say, on every request.
     */
    async verify(token: string): Promise<AccessClaims> {
      const known = verified.get(token);
      if (known && known.exp > Date.now() / 1000) return known;
      try {
        const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
          algorithms: ['ES256'],
          audience: 'authenticated',
          requiredClaims: ['sub', 'exp', 'iat', 'session_id', 'role'],
        });
        if (
          protectedHeader.kid !== kid ||
          !isAccessClaims(payload) ||
          !issuedHere(payload.iss, issuer)
        ) {
          throw new TokenError('invalid');
        }
        verified.set(token, payload);
        return payload;
      } catch (error) {
        if (error instanceof TokenError) throw error;
        throw new TokenError(error instanceof errors.JWTExpired ? 'expired' : 'invalid');
      }
    },
  };
}

/**
 * Whether this site issued a token. The issuer must match exactly, but on this machine the loopback
 * name and the port may differ.
 */
function issuedHere(iss: unknown, issuer: string): boolean {
  if (typeof iss !== 'string') return false;
  if (iss === issuer) return true;
  if (!URL.canParse(iss)) return false;
  const [theirs, ours] = [new URL(iss), new URL(issuer)];
  return (
    isLoopbackName(ours.hostname) &&
    isLoopbackName(theirs.hostname) &&
    theirs.protocol === ours.protocol &&
    theirs.pathname === ours.pathname
  );
}
