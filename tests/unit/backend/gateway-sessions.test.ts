import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type GatewaySite, openSite, PASSWORD, SITE } from './gateway-site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const hour = 3600;

/** The claims of somebody who is signed in, for tokens that are made up. */
async function someClaims(email: string) {
  const { browser, id } = await site.person(email);
  const { data } = await browser.auth.getClaims();
  if (!data) throw new Error('No claims');
  return { claims: { ...data.claims } as Record<string, unknown>, id, browser };
}

async function statusesWith(token: string): Promise<number[]> {
  const headers = { apikey: site.keys.publishableKey, authorization: `Bearer ${token}` };
  const paths = ['/rest/v1/profiles', '/auth/v1/user', '/storage/v1/bucket', '/functions/v1/none'];
  const answers = await Promise.all(paths.map((path) => site.ask(path, { headers })));
  return answers.map((answer) => answer.status);
}

describe('Tokens that nobody here signed', () => {
  test('A token without a signature, or signed by another key, opens nothing', async () => {
    const { claims } = await someClaims('forged@example.com');
    const ours = await importJWK(site.keys.signingKey, 'ES256');
    const theirs = (await generateKeyPair('ES256')).privateKey;
    const { kid } = site.keys.signingKey;
    const es256 = { alg: 'ES256', kid };
    const shared = new TextEncoder().encode(site.keys.jwtSecret);
    const publicKey = new TextEncoder().encode(JSON.stringify({ x: site.keys.signingKey.x }));
    const now = Math.floor(Date.now() / 1000);

    const forged: Record<string, string> = {
      'no algorithm': new UnsecuredJWT(claims).encode(),
      'the shared secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(shared),
      'the public key as a secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(publicKey),
      'another key': await new SignJWT(claims).setProtectedHeader(es256).sign(theirs),
      'another key id': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'other' })
        .sign(ours),
      'no key id': await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(ours),
      'another issuer': await new SignJWT({ ...claims, iss: 'https://evil.example/auth/v1' })
        .setProtectedHeader(es256)
        .sign(ours),
      'another audience': await new SignJWT({ ...claims, aud: 'anon' })
        .setProtectedHeader(es256)
        .sign(ours),
      'a greater role': await new SignJWT({ ...claims, role: 'service_role' })
        .setProtectedHeader(es256)
        .sign(ours),
      'no person': await new SignJWT({ ...claims, sub: '' }).setProtectedHeader(es256).sign(ours),
      yesterday: await new SignJWT({ ...claims, iat: now - 2 * hour, exp: now - 1 })
        .setProtectedHeader(es256)
        .sign(ours),
      'no end': await new SignJWT({ ...claims, exp: undefined })
        .setProtectedHeader(es256)
        .sign(ours),
      rubbish: 'not.a.token',
      'one word': 'anything',
    };
    for (const [name, token] of Object.entries(forged)) {
      expect(await statusesWith(token), name).toEqual([401, 401, 401, 401]);
    }
  });

  test('An expired token is told apart, so that a client refreshes it', async () => {
    const { claims } = await someClaims('late@example.com');
    const ours = await importJWK(site.keys.signingKey, 'ES256');
    const token = await new SignJWT({ ...claims, exp: 1000 })
      .setProtectedHeader({ alg: 'ES256', kid: site.keys.signingKey.kid })
      .sign(ours);
    const headers = { apikey: site.keys.publishableKey, authorization: `Bearer ${token}` };
    const answer = await site.ask('/rest/v1/profiles', { headers });
    expect(await answer.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' });
  });
});

describe('A session', () => {
  test('Its token carries every claim, and the browser verifies it by itself', async () => {
    const { browser, id } = await site.person('claims@example.com');
    const { data, error } = await browser.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.header).toMatchObject({ alg: 'ES256', kid: site.keys.signingKey.kid });
    expect(data?.claims).toMatchObject({
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
    });
    expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(hour);
  });

  test('The database sees the same claims', async () => {
    const { browser, id } = await site.person('seen@example.com');
    await site.sql.unsafe(`
      create function public.whoami() returns jsonb language sql stable set search_path = ''
        as 'select auth.jwt()';
      grant execute on function public.whoami() to anon, authenticated;
    `);
    await site.gateway.schemaChanged();
    const { data } = await browser.rpc('whoami');
    expect(data).toMatchObject({ sub: id, role: 'authenticated', aal: 'aal1' });
    expect(data).toHaveProperty('session_id');
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

  test('Two processes that refresh the same token at once get the same next token', async () => {
    const { browser } = await site.person('twice@example.com');
    const session = (await browser.auth.getSession()).data.session;
    const twin = await site.twin();
    const others = [site.gateway, twin, site.gateway, twin].map((gateway) =>
      clientOf(gateway, site.keys.publishableKey, '192.0.2.9'),
    );
    const answers = await Promise.all(
      others.map((each) =>
        each.auth.refreshSession({ refresh_token: session?.refresh_token ?? '' }),
      ),
    );
    expect(answers.map((each) => each.error)).toEqual([null, null, null, null]);
    const next = new Set(answers.map((each) => each.data.session?.refresh_token));
    expect(next.size).toBe(1);
    expect(next.has(session?.refresh_token)).toBe(false);
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
      update auth.refresh_tokens set updated_at = now() + ${ago}::interval where token = ${old}
    `;
      const thief = await site.browser().auth.refreshSession({ refresh_token: old });
      expect(thief.error?.code).toBe('refresh_token_already_used');
      const owner = await site.browser().auth.refreshSession({ refresh_token: next });
      expect(owner.error?.code).toBe('refresh_token_not_found');
      expect(await site.sql`select from auth.sessions where user_id = ${id}`).toHaveLength(0);
    },
  );

  test('A made-up refresh token is answered in words that supabase-js understands', async () => {
    const { error } = await site.browser().auth.refreshSession({ refresh_token: 'made-up' });
    expect(error?.code).toBe('refresh_token_not_found');
  });

  test('Signing out here leaves other browsers signed in; signing out everywhere does not', async () => {
    const email = 'everywhere@example.com';
    const { browser: first } = await site.person(email);
    const [second, third] = [site.browser(), site.browser()];
    for (const each of [second, third]) {
      expect((await each.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
    }
    const access = (await first.auth.getSession()).data.session?.access_token ?? '';
    await first.auth.signOut({ scope: 'local' });
    expect((await second.auth.getUser()).error).toBeNull();
    expect((await site.browser().auth.getUser(access)).error?.name).toBe('AuthSessionMissingError');

    await second.auth.signOut({ scope: 'others' });
    expect((await third.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await second.auth.getUser()).error).toBeNull();
    await second.auth.signOut();
    expect(await site.sql`select from auth.sessions`.then((rows) => rows.length)).toBeGreaterThan(
      0,
    );
  });
});
