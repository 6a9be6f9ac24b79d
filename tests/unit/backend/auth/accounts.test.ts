import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeSession } from '#lib/session-cookie.ts';
import type { Session } from '#lib/supabase.ts';
import { codeOf, type GatewaySite, linkIn, openSite, PASSWORD, SITE } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const register = (email: string, password = PASSWORD, who = site.browser()) =>
  who.auth.signUp({ email, password });

describe('Registering', () => {
  test.each([
    ['too short', 'nine-char', 'length'],
    ['among the common ones', 'Passw0rd123!', 'pwned'],
    ['a walk along the keyboard', 'qwertyuiop', 'pwned'],
    ['a common word twice', 'dragondragon', 'pwned'],
    ['their own address', 'weak@example.com', 'characters'],
    ['one character over and over', 'aaaaaaaaaaaa', 'characters'],
  ])('A password that is %s is refused with its reason', async (_why, password, reason) => {
    const { error } = await register('weak@example.com', password);
    expect(error).toMatchObject({ code: 'weak_password', status: 422 });
    expect((error as { reasons?: string[] }).reasons).toContain(reason);
    expect(error?.message.length).toBeGreaterThan(20);
  });

  test.each([
    ['a password longer than bcrypt reads', 'long@example.com', `${PASSWORD}${'é'.repeat(40)}`],
    ['no address', 'nobody', PASSWORD],
    ['no domain', 'a@b', PASSWORD],
    ['a quoted address', '"x y"@example.com', PASSWORD],
    ['two addresses', 'a@example.com,b@example.com', PASSWORD],
  ])('%s is refused', async (_what, email, password) => {
    expect(await codeOf(register(email, password))).toBe('validation_failed');
  });

  test('An owner registers, confirms from the mail and is signed in', async () => {
    const browser = site.browser();
    const { data, error } = await browser.auth.signUp({
      email: 'Ines@Example.com',
      password: PASSWORD,
      options: {
        data: { full_name: 'Ines Park' },
        emailRedirectTo: `${SITE}/dashboard/skills/quiz?claim=abc`,
      },
    });
    expect([error, data.session]).toEqual([null, null]);

    const link = linkIn(await site.letterTo('ines@example.com'));
    expect(link.origin + link.pathname).toBe(`${SITE}/confirm`);
    expect(link.searchParams.get('type')).toBe('signup');
    expect(link.searchParams.get('next')).toBe('/dashboard/skills/quiz?claim=abc');

    const token_hash = link.searchParams.get('token_hash') ?? '';
    const verified = await browser.auth.verifyOtp({ token_hash, type: 'signup' });
    expect(verified.error).toBeNull();
    expect(verified.data.user).toMatchObject({ email: 'ines@example.com', factors: [] });
    const { data: profile } = await browser.from('profiles').select('full_name').single();
    expect(profile).toEqual({ full_name: 'Ines Park' });
  });

  test('A link to another site never gets into a mail', async () => {
    await site.browser().auth.signUp({
      email: 'elsewhere@example.com',
      password: PASSWORD,
      options: { emailRedirectTo: 'https://evil.example/dashboard' },
    });
    const letter = await site.letterTo('elsewhere@example.com');
    expect(linkIn(letter).searchParams.get('next')).toBeNull();
    expect(letter.html).not.toContain('evil.example');
  });

  test('A link works once, even when it is opened five times at the same time', async () => {
    await register('race@example.com');
    const secret = await site.secretIn('race@example.com');
    const open = () => site.verify(secret, 'signup');
    const codes = await Promise.all(Array.from({ length: 5 }, open));
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(await open()).toBe('otp_expired');
    const sessions = await site.sql`
      select from auth.sessions s join auth.users u on u.id = s.user_id
      where u.email = 'race@example.com'`;
    expect(sessions).toHaveLength(1);
  });

  test('One address that is registered five times at the same time becomes one account', async () => {
    const email = 'crowd@example.com';
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(register(email))));
    const late = codes.filter((code) => code === 'over_email_send_rate_limit');
    expect([codes.includes(undefined), late.length]).toEqual([true, 4]);
    expect(await site.sql`select from auth.users where email = ${email}`).toHaveLength(1);
  });

  test('A link is no good after an hour, nor for another purpose', async () => {
    await register('tardy@example.com');
    const secret = await site.secretIn('tardy@example.com');
    expect(await site.verify(secret, 'recovery')).toBe('otp_expired');
    await site.sql`update auth.one_time_tokens set expires_at = now() where email = 'tardy@example.com'`;
    expect(await site.verify(secret, 'signup')).toBe('otp_expired');
  });
});

const thiefs = 'the-thief-was-here-first';

describe('The password of a registration', () => {
  const signUp = async (who: SupabaseClient, email: string, password: string) => {
    await site.aMinutePasses();
    expect(await codeOf(register(email, password, who))).toBeUndefined();
    return site.secretIn(email);
  };
  const confirm = async (who: SupabaseClient, token_hash: string) => {
    const { data } = await who.auth.verifyOtp({ token_hash, type: 'signup' });
    expect(data.session).not.toBeNull();
  };

  test.each([true, false])(
    'counts where the one who registered confirms (a browser: %s)',
    async (cookies) => {
      const email = `own-${cookies}@example.com`;
      const who = site.browser({ cookies });
      await confirm(who, await signUp(who, email, PASSWORD));
      expect(await site.signIn(email)).toBeUndefined();
    },
  );

  test.each([true, false])(
    'is gone where somebody else confirms, who then chooses one (a browser: %s)',
    async (cookies) => {
      const email = `strangers-${cookies}@example.com`;
      // Browsers are told apart by their cookies, so these two can share an IP address.
      const place = { cookies, ...(cookies ? { address: '198.51.100.77' } : {}) };
      const secret = await signUp(site.browser(place), email, thiefs);
      const owner = site.browser(place);
      await confirm(owner, secret);
      expect(await site.signIn(email, thiefs)).toBe('invalid_credentials');
      expect(await codeOf(owner.auth.updateUser({ password: PASSWORD }))).toBeUndefined();
      expect(await site.signIn(email)).toBeUndefined();
    },
  );

  test.each(['code', 'link'])(
    'counts where the one who registered comes in by a %s instead of the confirmation',
    async (way) => {
      const email = `by-${way}@example.com`;
      const who = site.browser({ cookies: true });
      await signUp(who, email, PASSWORD);
      await who.auth.signInWithOtp({ email });
      const proof =
        way === 'code'
          ? { email, token: await site.codeIn(email), type: 'email' as const }
          : { token_hash: await site.secretIn(email), type: 'email' as const };
      expect(await codeOf(who.auth.verifyOtp(proof))).toBeUndefined();
      expect(await site.signIn(email)).toBeUndefined();
    },
  );

  test.each([
    ['the first', 0, 'first'],
    ['the first', 0, 'last'],
    ['the last', 1, 'first'],
    ['the last', 1, 'last'],
  ] as const)(
    'is nobody’s where two registered, no matter who came first and which mail is pressed: %s mail (%i), the owner came %s',
    async (_which, pressed, came) => {
      const email = `two-${pressed}-${came}@example.com`;
      const [owner, thief] = [site.browser({ cookies: true }), site.browser({ cookies: true })];
      const order = [[owner, PASSWORD] as const, [thief, thiefs] as const];
      const secrets: string[] = [];
      for (const [who, password] of came === 'first' ? order : order.toReversed()) {
        secrets.push(await signUp(who, email, password));
      }
      await confirm(owner, secrets[pressed] ?? '');
      expect(await site.signIn(email, thiefs)).toBe('invalid_credentials');
      expect(await site.signIn(email)).toBe('invalid_credentials');
      const password = 'chosen-after-that';
      expect(await codeOf(owner.auth.updateUser({ password }))).toBeUndefined();
      expect(await site.signIn(email, password)).toBeUndefined();
      // The other email's link no longer works.
      expect(await site.verify(secrets[1 - pressed] ?? '', 'signup', thief)).toBe('otp_expired');
    },
  );

  test.each([0, 1, 2])(
    'is the last one of a person who registers twice, by either mail or one that is sent again (%i)',
    async (pressed) => {
      const email = `twice-${pressed}@example.com`;
      const who = site.browser({ cookies: true });
      const first = 'mistyped-the-first-time';
      const secrets = [await signUp(who, email, first), await signUp(who, email, PASSWORD)];
      await site.aMinutePasses();
      expect(await codeOf(who.auth.resend({ type: 'signup', email }))).toBeUndefined();
      secrets.push(await site.secretIn(email));
      await confirm(who, secrets[pressed] ?? '');
      expect(await site.signIn(email)).toBeUndefined();
      expect(await site.signIn(email, first)).toBe('invalid_credentials');
    },
  );

  test.each(['recovery', 'email'] as const)(
    'is gone where the owner of the address comes in by %s',
    async (type) => {
      const email = `squatted-${type}@example.com`;
      await register(email, thiefs);
      const { auth } = site.browser();
      if (type === 'recovery') await auth.resetPasswordForEmail(email);
      else await auth.signInWithOtp({ email });
      expect(await site.verify(await site.secretIn(email), type)).toBeUndefined();
      expect(await site.signIn(email, thiefs)).toBe('invalid_credentials');
    },
  );
});

describe('What somebody says of themselves when they register', () => {
  test('never makes the session too large for the site', async () => {
    const email = 'laden@example.com';
    const { auth } = site.browser();
    const tell = (bytes: number) => {
      const options = { data: { full_name: 'x'.repeat(bytes) } };
      return auth.signUp({ email, password: PASSWORD, options });
    };
    expect(await codeOf(tell(9000))).toBe('validation_failed');
    await tell(1400);
    const proof = { token_hash: await site.secretIn(email), type: 'signup' } as const;
    const { data } = await auth.verifyOtp(proof);
    const size = encodeSession(data.session as Session)
      .map(({ name, value }) => name.length + value.length)
      .reduce((sum, each) => sum + each);
    // Node accepts 16 KB of headers, and browsers send other headers, too.
    expect(size).toBeLessThan(12_000);
    const more = auth.updateUser({ data: { more: 'y'.repeat(1400) } });
    expect(await codeOf(more)).toBe('validation_failed');
  });

  test.each([
    { full_name: 'x'.repeat(500), business_name: 'y'.repeat(500) },
    { full_name: { nested: true }, business_name: [1] },
    { full_name: 'a\u0000b' },
    { full_name: '  \n ', business_name: '\t' },
    { full_name: '<script>', business_name: null, theme: 7 },
    { full_name: 'x'.repeat(20_000) },
  ])('makes an account or is refused, whatever it is: %j', async (data) => {
    const email = `strange-${crypto.randomUUID()}@example.com`;
    const options = { data };
    const { error } = await site.browser().auth.signUp({ email, password: PASSWORD, options });
    expect(error?.status ?? 200).toBeLessThan(500);
  });
});
