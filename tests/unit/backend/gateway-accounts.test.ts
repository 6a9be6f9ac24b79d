import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeSession, type Session } from '#lib/supabase.ts';
import { type GatewaySite, linkIn, openSite, PASSWORD, SITE } from './gateway-site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('Registering', () => {
  test.each([
    ['too short', 'nine-char', ['length']],
    ['among the common ones', 'Passw0rd123!', ['pwned']],
    ['a walk along the keyboard', 'qwertyuiop', ['pwned']],
    ['a common word twice', 'dragondragon', ['pwned']],
    ['their own address', 'weak@example.com', ['characters']],
    ['one character over and over', 'aaaaaaaaaaaa', ['characters']],
  ])('A password that is %s is refused with its reason', async (_why, password, reasons) => {
    const { error } = await site.browser().auth.signUp({ email: 'weak@example.com', password });
    expect(error).toMatchObject({ code: 'weak_password', status: 422 });
    expect((error as { reasons?: string[] }).reasons).toEqual(expect.arrayContaining(reasons));
    expect(error?.message.length).toBeGreaterThan(20);
  });

  test('A password longer than bcrypt reads is refused instead of cut', async () => {
    const { error } = await site
      .browser()
      .auth.signUp({ email: 'long@example.com', password: `${PASSWORD}${'é'.repeat(40)}` });
    expect(error?.code).toBe('validation_failed');
  });

  test('Something that is no address is refused', async () => {
    for (const email of ['nobody', 'a@b', '"x y"@example.com', 'a@example.com,b@example.com']) {
      const { error } = await site.browser().auth.signUp({ email, password: PASSWORD });
      expect(error?.code, email).toBe('validation_failed');
    }
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
    expect(error).toBeNull();
    expect(data.session).toBeNull();

    const link = linkIn(await site.letterTo('ines@example.com'));
    expect(link.origin + link.pathname).toBe(`${SITE}/confirm`);
    expect(link.searchParams.get('type')).toBe('signup');
    expect(link.searchParams.get('next')).toBe('/dashboard/skills/quiz?claim=abc');

    const verified = await browser.auth.verifyOtp({
      token_hash: link.searchParams.get('token_hash') ?? '',
      type: 'signup',
    });
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

  test('A link works once', async () => {
    await site.browser().auth.signUp({ email: 'once@example.com', password: PASSWORD });
    const token_hash = await site.secretIn('once@example.com');
    const first = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(first.error).toBeNull();
    const second = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(second.error).toMatchObject({ code: 'otp_expired', status: 403 });
  });

  test('A link that is opened five times at once makes one session', async () => {
    await site.browser().auth.signUp({ email: 'race@example.com', password: PASSWORD });
    const token_hash = await site.secretIn('race@example.com');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        site.browser().auth.verifyOtp({ token_hash, type: 'signup' }),
      ),
    );
    expect(answers.filter((each) => each.error === null)).toHaveLength(1);
    const sessions = await site.sql`
      select from auth.sessions s join auth.users u on u.id = s.user_id
      where u.email = 'race@example.com'
    `;
    expect(sessions).toHaveLength(1);
  });

  test('One address that is registered five times at once becomes one account', async () => {
    const email = 'crowd@example.com';
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => site.browser().auth.signUp({ email, password: PASSWORD })),
    );
    const codes = answers.map((each) => each.error?.code ?? 'ok').sort();
    expect(codes).toEqual(['ok', ...Array(4).fill('over_email_send_rate_limit')]);
    expect(await site.sql`select from auth.users where email = ${email}`).toHaveLength(1);
  });

  test('A link is no good after an hour, nor for another purpose', async () => {
    await site.browser().auth.signUp({ email: 'tardy@example.com', password: PASSWORD });
    const token_hash = await site.secretIn('tardy@example.com');
    const recovery = await site.browser().auth.verifyOtp({ token_hash, type: 'recovery' });
    expect(recovery.error?.code).toBe('otp_expired');
    await site.sql`update auth.one_time_tokens set expires_at = now() where email = 'tardy@example.com'`;
    const late = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(late.error?.code).toBe('otp_expired');
  });

  test('The confirmation is sent again to whoever asks, and the earlier link still works', async () => {
    const email = 'again@example.com';
    await site.browser().auth.signUp({ email, password: PASSWORD });
    const token_hash = await site.secretIn(email);
    await site.aMinutePasses();
    expect((await site.browser().auth.resend({ type: 'signup', email })).error).toBeNull();
    expect(await site.secretIn(email)).not.toBe(token_hash);
    const verified = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(verified.error).toBeNull();
  });
});

describe('The password of a registration', () => {
  const signUp = async (who: SupabaseClient, email: string, password: string) => {
    await site.aMinutePasses();
    expect((await who.auth.signUp({ email, password })).error).toBeNull();
    return site.secretIn(email);
  };
  const confirm = async (who: SupabaseClient, token_hash: string) => {
    const { data, error } = await who.auth.verifyOtp({ token_hash, type: 'signup' });
    expect(error).toBeNull();
    expect(data.session).not.toBeNull();
  };
  const signIn = async (email: string, password: string) =>
    (await site.browser().auth.signInWithPassword({ email, password })).error?.code;

  test.each([true, false])(
    'counts where the one who registered confirms (a browser: %s)',
    async (cookies) => {
      const email = `own-${cookies}@example.com`;
      const who = site.browser({ cookies });
      await confirm(who, await signUp(who, email, PASSWORD));
      expect(await signIn(email, PASSWORD)).toBeUndefined();
    },
  );

  test.each([true, false])(
    'is gone where somebody else confirms, who then chooses one (a browser: %s)',
    async (cookies) => {
      const email = `strangers-${cookies}@example.com`;
      const secret = await signUp(site.browser({ cookies }), email, 'the-thief-was-here-first');
      const owner = site.browser({ cookies });
      await confirm(owner, secret);
      expect(await signIn(email, 'the-thief-was-here-first')).toBe('invalid_credentials');
      expect((await owner.auth.updateUser({ password: PASSWORD })).error).toBeNull();
      expect(await signIn(email, PASSWORD)).toBeUndefined();
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
      expect((await who.auth.verifyOtp(proof)).error).toBeNull();
      expect(await signIn(email, PASSWORD)).toBeUndefined();
    },
  );

  test('is not kept by a browser that only shares the address of the one that registered', async () => {
    const email = 'same-office@example.com';
    const address = '198.51.100.77';
    const thief = site.browser({ cookies: true, address });
    const secret = await signUp(thief, email, 'the-thief-was-here-first');
    await confirm(site.browser({ cookies: true, address }), secret);
    expect(await signIn(email, 'the-thief-was-here-first')).toBe('invalid_credentials');
  });

  test.each([
    ['the first', 0, 'first'],
    ['the first', 0, 'last'],
    ['the last', 1, 'first'],
    ['the last', 1, 'last'],
  ] as const)(
    'is nobody’s where two registered, no matter who came first and which mail is pressed: %s mail, the owner came %s',
    async (_which, pressed, came) => {
      const email = `two-${pressed}-${came}@example.com`;
      const [owner, thief] = [site.browser({ cookies: true }), site.browser({ cookies: true })];
      const order = [
        [owner, PASSWORD],
        [thief, 'the-thief-was-here-too'],
      ] as const;
      const secrets: string[] = [];
      for (const [who, password] of came === 'first' ? order : order.toReversed()) {
        secrets.push(await signUp(who, email, password));
      }
      await confirm(owner, secrets[pressed] ?? '');
      expect(await signIn(email, 'the-thief-was-here-too')).toBe('invalid_credentials');
      expect(await signIn(email, PASSWORD)).toBe('invalid_credentials');
      expect((await owner.auth.updateUser({ password: 'chosen-after-that' })).error).toBeNull();
      expect(await signIn(email, 'chosen-after-that')).toBeUndefined();
      // The other mail signs in nobody any more.
      const other = await thief.auth.verifyOtp({
        token_hash: secrets[1 - pressed] ?? '',
        type: 'signup',
      });
      expect(other.error?.code).toBe('otp_expired');
    },
  );

  test('is the last one of a person who registers twice, by either mail or one that is sent again', async () => {
    for (const pressed of [0, 1, 2]) {
      const email = `twice-${pressed}@example.com`;
      const who = site.browser({ cookies: true });
      const secrets = [
        await signUp(who, email, 'mistyped-the-first-time'),
        await signUp(who, email, PASSWORD),
      ];
      await site.aMinutePasses();
      await who.auth.resend({ type: 'signup', email });
      secrets.push(await site.secretIn(email));
      await confirm(who, secrets[pressed] ?? '');
      expect(await signIn(email, PASSWORD)).toBeUndefined();
      expect(await signIn(email, 'mistyped-the-first-time')).toBe('invalid_credentials');
    }
  });
});

describe('Somebody registered an address that is not theirs', () => {
  const thiefs = 'the-thief-was-here-first';

  test.each(['recovery', 'email'] as const)(
    'Its owner comes in by %s, and the password of the other one is gone',
    async (type) => {
      const email = `squatted-${type}@example.com`;
      await site.browser().auth.signUp({ email, password: thiefs });
      const { auth } = site.browser();
      if (type === 'recovery') await auth.resetPasswordForEmail(email);
      else await auth.signInWithOtp({ email });
      const { error } = await auth.verifyOtp({ token_hash: await site.secretIn(email), type });
      expect(error).toBeNull();
      const thief = await site.browser().auth.signInWithPassword({ email, password: thiefs });
      expect(thief.error?.code).toBe('invalid_credentials');
    },
  );

  test('What a stranger said of them cannot make the session too large for the site', async () => {
    const email = 'laden@example.com';
    const { auth } = site.browser();
    const tell = (bytes: number) => ({ options: { data: { full_name: 'x'.repeat(bytes) } } });
    const stuffed = await auth.signUp({ email, password: PASSWORD, ...tell(9000) });
    expect(stuffed.error?.code).toBe('validation_failed');
    await auth.signUp({ email, password: PASSWORD, ...tell(1400) });
    const { data } = await auth.verifyOtp({
      token_hash: await site.secretIn(email),
      type: 'signup',
    });
    if (!data.session) throw new Error('Not signed in');
    const size = () =>
      encodeSession(data.session as Session)
        .map(({ name, value }) => name.length + value.length)
        .reduce((sum, each) => sum + each);
    // Node reads 16 KB of headers, and a browser sends other things, too.
    expect(size()).toBeLessThan(12_000);
    const more = await auth.updateUser({ data: { more: 'y'.repeat(1400) } });
    expect(more.error?.code).toBe('validation_failed');
  });

  test('Whatever is told of oneself when registering, the account is made or refused', async () => {
    const strange = [
      { full_name: 'x'.repeat(500), business_name: 'y'.repeat(500) },
      { full_name: { nested: true }, business_name: [1] },
      { full_name: 'a\u0000b' },
      { full_name: '  \n ', business_name: '\t' },
      { full_name: '<script>', business_name: null, theme: 7 },
    ];
    for (const [index, data] of strange.entries()) {
      const email = `strange${index}@example.com`;
      const { error } = await site
        .browser()
        .auth.signUp({ email, password: PASSWORD, options: { data } });
      expect(error?.status ?? 200, JSON.stringify(data)).toBeLessThan(500);
    }
    const large = { full_name: 'x'.repeat(20_000) };
    const { error } = await site
      .browser()
      .auth.signUp({ email: 'large@example.com', password: PASSWORD, options: { data: large } });
    expect(error?.code).toBe('validation_failed');
  });
});
