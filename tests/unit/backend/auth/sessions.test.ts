import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, codeOf, type GatewaySite, openSite, PASSWORD, SITE } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const hour = 3600;

/** A signed-in user's claims, as the base for forged tokens. */
async function someClaims(email: string): Promise<Record<string, unknown>> {
  const { browser } = await site.person(email);
  const { data } = await browser.auth.getClaims();
  if (!data) throw new Error('No claims');
  return data.claims;
}

const headersWith = (token: string) => ({
  apikey: site.keys.publishableKey,
  authorization: `Bearer ${token}`,
});

describe('Tokens that nobody here signed', () => {
  test('A token without a signature, or signed by another key, opens nothing', async () => {
    const claims = await someClaims('forged@example.com');
    const { kid, x } = site.keys.signingKey;
    const ours = await importJWK(site.keys.signingKey, 'ES256');
    const theirs = (await generateKeyPair('ES256')).privateKey;
    const bytes = (text: string) => new TextEncoder().encode(text);
    const now = Math.floor(Date.now() / 1000);
    const signed = (
      changes: object,
      header: object = {},
      key: Parameters<SignJWT['sign']>[0] = ours,
    ) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(key);

    const forged: Record<string, string> = {
      'no algorithm': new UnsecuredJWT(claims).encode(),
      'the shared secret': await signed({}, { alg: 'HS256' }, bytes(site.keys.jwtSecret)),
      'the public key as a secret': await signed(
        {},
        { alg: 'HS256' },
        bytes(JSON.stringify({ x })),
      ),
      'another key': await signed({}, {}, theirs),
      'another key id': await signed({}, { kid: 'other' }),
      'no key id': await signed({}, { kid: undefined }),
      'another issuer': await signed({ iss: 'https://evil.example/auth/v1' }),
      'another audience': await signed({ aud: 'anon' }),
      'a greater role': await signed({ role: 'service_role' }),
      'no person': await signed({ sub: '' }),
      yesterday: await signed({ iat: now - 2 * hour, exp: now - 1 }),
      'no end': await signed({ exp: undefined }),
      rubbish: 'not.a.token',
      'one word': 'anything',
    };
    const paths = ['rest/v1/profiles', 'auth/v1/user', 'storage/v1/bucket', 'functions/v1/none'];
    for (const [name, token] of Object.entries(forged)) {
      const headers = headersWith(token);
      const answers = await Promise.all(paths.map((path) => site.ask(`/${path}`, { headers })));
      expect(
        answers.map(({ status }) => status),
        name,
      ).toEqual([401, 401, 401, 401]);
    }
    // An expired token gets an error of its own, so that clients know to refresh it.
    const headers = headersWith(await signed({ exp: 1000 }));
    const expired = await site.ask('/rest/v1/profiles', { headers });
    expect(await expired.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' });
  });
});

describe('A session', () => {
  test('Its token carries every claim, for the browser that verifies it and for the database', async () => {
    const { browser, id } = await site.person('claims@example.com');
    const { data, error } = await browser.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.header).toMatchObject({ alg: 'ES256', kid: site.keys.signingKey.kid });
    const claims = {
      iss: `${SITE}/auth/v1`,
      sub: id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'claims@example.com',
      aal: 'aal1',
      amr: [{ method: 'otp', timestamp: expect.any(Number) }],
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: expect.objectContaining({ email_verified: true }),
      session_id: expect.any(String),
      is_anonymous: false,
    };
    expect(data?.claims).toMatchObject(claims);
    expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(hour);

    await site.sql.unsafe(`
      create function public.whoami() returns jsonb language sql stable set search_path = ''
        as 'select auth.jwt()';
      grant execute on function public.whoami() to anon, authenticated;
    `);
    await site.gateway.schemaChanged();
    expect((await browser.rpc('whoami')).data).toMatchObject(claims);
    const visitor = await site.browser().rpc('whoami');
    expect(visitor.data).toMatchObject({ role: 'anon' });
    expect(visitor.data).not.toHaveProperty('sub');
  });

  test('The published keys hold no private part', async () => {
    const answer = await site.ask('/auth/v1/.well-known/jwks.json');
    const text = await answer.text();
    expect(JSON.parse(text).keys).toHaveLength(1);
    expect(text).not.toContain(site.keys.signingKey.d);
  });

  test('Two processes that refresh the same token at the same time get the same next token', async () => {
    const { browser } = await site.person('twice@example.com');
    const refresh_token = (await browser.auth.getSession()).data.session?.refresh_token ?? '';
    const twin = await site.twin();
    const answers = await Promise.all(
      [site.gateway, twin, site.gateway, twin].map((gateway) =>
        clientOf(gateway, site.keys.publishableKey, '192.0.2.9').auth.refreshSession({
          refresh_token,
        }),
      ),
    );
    expect(answers.map(({ error }) => error)).toEqual([null, null, null, null]);
    const next = new Set(answers.map(({ data }) => data.session?.refresh_token));
    expect([next.size, next.has(refresh_token)]).toEqual([1, false]);
  });

  test.each([
    ['ten seconds', '-11 seconds'],
    ['the clock was put back', '1 day'],
  ])(
    'A refresh token that comes back after %s ends the session for everyone',
    async (_after, ago) => {
      const { browser, id } = await site.person(`stolen${ago.length}@example.com`);
      const old = (await browser.auth.getSession()).data.session?.refresh_token ?? '';
      const next = (await browser.auth.refreshSession()).data.session?.refresh_token ?? '';
      await site.sql`
        update auth.refresh_tokens set updated_at = now() + ${ago}::interval where token = ${old}`;
      const refresh = (refresh_token: string) =>
        codeOf(site.browser().auth.refreshSession({ refresh_token }));
      expect(await refresh(old)).toBe('refresh_token_already_used');
      expect(await refresh(next)).toBe('refresh_token_not_found');
      expect(await refresh('made-up')).toBe('refresh_token_not_found');
      expect(await site.sql`select from auth.sessions where user_id = ${id}`).toHaveLength(0);
    },
  );

  test('Signing out here leaves other browsers signed in; signing out everywhere does not', async () => {
    const email = 'everywhere@example.com';
    const { browser: first, id } = await site.person(email);
    const [second, third] = [site.browser(), site.browser()];
    for (const { auth } of [second, third]) {
      expect(await codeOf(auth.signInWithPassword({ email, password: PASSWORD }))).toBeUndefined();
    }
    const access = (await first.auth.getSession()).data.session?.access_token ?? '';
    await first.auth.signOut({ scope: 'local' });
    expect((await second.auth.getUser()).error).toBeNull();
    expect((await site.browser().auth.getUser(access)).error?.name).toBe('AuthSessionMissingError');

    await second.auth.signOut({ scope: 'others' });
    expect((await third.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await second.auth.getUser()).error).toBeNull();
    await second.auth.signOut();
    expect(await site.sql`select from auth.sessions where user_id = ${id}`).toHaveLength(0);
  });
});
