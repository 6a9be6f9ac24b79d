import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkHash } from '#backend/local/auth-store.ts';
import { encodeSession, type Session } from '#lib/supabase.ts';
import { type GatewaySite, linkIn, openSite, PASSWORD, SITE } from './gateway-site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** Lets another mail go to an address at once, as if a minute had passed. */
const aMinutePasses = () => site.sql`delete from public.rate_limits`;

const secretIn = async (to: string) =>
  linkIn(await site.letterTo(to)).searchParams.get('token_hash') ?? '';

const codeIn = async (to: string) => /\b\d{6}\b/.exec((await site.letterTo(to)).text)?.[0] ?? '';

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
    const token_hash = await secretIn('once@example.com');
    const first = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(first.error).toBeNull();
    const second = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(second.error).toMatchObject({ code: 'otp_expired', status: 403 });
  });

  test('A link that is opened five times at once makes one session', async () => {
    await site.browser().auth.signUp({ email: 'race@example.com', password: PASSWORD });
    const token_hash = await secretIn('race@example.com');
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
    const token_hash = await secretIn('tardy@example.com');
    const recovery = await site.browser().auth.verifyOtp({ token_hash, type: 'recovery' });
    expect(recovery.error?.code).toBe('otp_expired');
    await site.sql`update auth.one_time_tokens set expires_at = now() where email = 'tardy@example.com'`;
    const late = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(late.error?.code).toBe('otp_expired');
  });

  test('The confirmation is sent again to whoever asks, and the earlier link still works', async () => {
    const email = 'again@example.com';
    await site.browser().auth.signUp({ email, password: PASSWORD });
    const token_hash = await secretIn(email);
    await aMinutePasses();
    expect((await site.browser().auth.resend({ type: 'signup', email })).error).toBeNull();
    expect(await secretIn(email)).not.toBe(token_hash);
    const verified = await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(verified.error).toBeNull();
  });

  test('Whoever registers an address first does not keep its password from its owner', async () => {
    const email = 'hijack@example.com';
    await site.browser().auth.signUp({ email, password: 'the-thief-was-here-first' });
    await aMinutePasses();
    await site.browser().auth.signUp({ email, password: PASSWORD });
    const token_hash = await secretIn(email);
    await site.browser().auth.verifyOtp({ token_hash, type: 'signup' });
    const thief = await site
      .browser()
      .auth.signInWithPassword({ email, password: 'the-thief-was-here-first' });
    expect(thief.error?.code).toBe('invalid_credentials');
    const owner = await site.browser().auth.signInWithPassword({ email, password: PASSWORD });
    expect(owner.error).toBeNull();
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
      const { error } = await auth.verifyOtp({ token_hash: await secretIn(email), type });
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
    const { data } = await auth.verifyOtp({ token_hash: await secretIn(email), type: 'signup' });
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

describe('No answer tells whether an address has an account', () => {
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : value && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]))
        : typeof value;

  test('Registering a taken address looks the same, and its owner gets word of it', async () => {
    await site.person('taken@example.com');
    await aMinutePasses();
    const taken = await site
      .browser()
      .auth.signUp({ email: 'taken@example.com', password: PASSWORD });
    const fresh = await site
      .browser()
      .auth.signUp({ email: 'fresh@example.com', password: PASSWORD });
    expect(taken.error).toBeNull();
    expect(shape(taken.data)).toEqual(shape(fresh.data));
    expect(taken.data.user?.identities).toHaveLength(1);
    const [row] = await site.sql`select id from auth.users where email = 'taken@example.com'`;
    expect(taken.data.user?.id).not.toBe(row?.id);

    const letter = await site.letterTo('taken@example.com');
    expect(letter.subject).toBe('You already have an account at Trellis');
    expect(letter.text).not.toContain('token_hash');
    const unchanged = await site
      .browser()
      .auth.signInWithPassword({ email: 'taken@example.com', password: PASSWORD });
    expect(unchanged.error).toBeNull();
  });

  test('Recovering, a code and a second confirmation are answered alike', async () => {
    await site.person('known@example.com');
    await aMinutePasses();
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const { auth } = site.browser();
      expect((await auth.resetPasswordForEmail(email)).error, email).toBeNull();
      const code = await auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
      expect(code.error, email).toBeNull();
      expect((await auth.resend({ type: 'signup', email })).error, email).toBeNull();
    }
    const rows = await site.sql`select from auth.users where email = 'unknown@example.com'`;
    expect(rows).toHaveLength(0);
    const letters = (await site.letters()).filter((each) => each.to === 'unknown@example.com');
    expect(letters).toEqual([]);
  });

  test('A second mail within a minute is refused alike', async () => {
    await site.person('hasty@example.com');
    await aMinutePasses();
    for (const email of ['hasty@example.com', 'hasty-nobody@example.com']) {
      const { auth } = site.browser();
      expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
      const second = await auth.resetPasswordForEmail(email);
      expect(second.error).toMatchObject({ code: 'over_email_send_rate_limit', status: 429 });
    }
  });

  test('A wrong password, an unknown address and an account without a password are one answer', async () => {
    await site.person('wrong@example.com');
    await site.browser().auth.signInWithOtp({ email: 'codeonly@example.com' });
    const answers = [];
    for (const email of ['wrong@example.com', 'stranger@example.com', 'codeonly@example.com']) {
      const { error } = await site
        .browser()
        .auth.signInWithPassword({ email, password: 'not-the-password' });
      answers.push({ code: error?.code, status: error?.status, message: error?.message });
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(answers[0]?.code).toBe('invalid_credentials');
  });

  test('That an address is not confirmed is said only to whoever has the password', async () => {
    const email = 'pending@example.com';
    await site.browser().auth.signUp({ email, password: PASSWORD });
    const right = await site.browser().auth.signInWithPassword({ email, password: PASSWORD });
    expect(right.error?.code).toBe('email_not_confirmed');
    const wrong = await site
      .browser()
      .auth.signInWithPassword({ email, password: 'not-the-password' });
    expect(wrong.error?.code).toBe('invalid_credentials');
  });

  test('Known and unknown addresses take the same time', async () => {
    await site.person('timed@example.com');
    const once = async (email: string) => {
      const started = performance.now();
      await site.browser().auth.signInWithPassword({ email, password: 'not-the-password' });
      return performance.now() - started;
    };
    // The shortest of several is what the work itself takes, whatever else the machine does.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const apart = () => Math.max(known, unknown) / Math.min(known, unknown);
    // A busy machine takes more of them; what is done for one only is never made up for.
    for (let round = 0; round < 8 || (round < 40 && apart() >= 1.4); round += 1) {
      known = Math.min(known, await once('timed@example.com'));
      unknown = Math.min(unknown, await once('no-one@example.com'));
    }
    expect(apart()).toBeLessThan(1.4);
  });
});

describe('Limits', () => {
  test('After ten wrong passwords in a minute even the right one has to wait', async () => {
    const email = 'guessed@example.com';
    await site.person(email);
    await aMinutePasses();
    for (let guess = 0; guess < 10; guess += 1) {
      const { error } = await site
        .browser()
        .auth.signInWithPassword({ email, password: `guess ${guess}` });
      expect(error?.code).toBe('invalid_credentials');
    }
    const blocked = await site.browser().auth.signInWithPassword({ email, password: PASSWORD });
    expect(blocked.error).toMatchObject({ code: 'over_request_rate_limit', status: 429 });
  });

  test('One network address cannot try one password on many accounts', async () => {
    await aMinutePasses();
    const codes: (string | undefined)[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const { error } = await site
        .browser({ address: '198.51.100.7' })
        .auth.signInWithPassword({ email: `spray${guess}@example.com`, password: PASSWORD });
      codes.push(error?.code);
    }
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('invalid_credentials'));
    expect(codes.slice(10)).toEqual(Array(2).fill('over_request_rate_limit'));
  });

  test('Whoever signs in rightly is never held up, however often', async () => {
    const email = 'often@example.com';
    await site.person(email);
    await aMinutePasses();
    for (let time = 0; time < 12; time += 1) {
      const { error } = await site
        .browser({ address: '198.51.100.8' })
        .auth.signInWithPassword({ email, password: PASSWORD });
      expect(error).toBeNull();
    }
  });

  test('A code cannot be guessed', async () => {
    const email = 'coded@example.com';
    await site.person(email);
    await site.browser().auth.signInWithOtp({ email });
    const code = await codeIn(email);
    const wrong = code === '000000' ? '000001' : '000000';
    await aMinutePasses();
    for (let guess = 0; guess < 15; guess += 1) {
      const { error } = await site.browser().auth.verifyOtp({ email, token: wrong, type: 'email' });
      expect(error?.code).toBe('otp_expired');
    }
    const blocked = await site.browser().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(blocked.error?.code).toBe('over_request_rate_limit');
  });

  test('The admin interface does not exist, with whatever key', async () => {
    for (const key of [site.keys.publishableKey, site.keys.secretKey]) {
      const headers = { apikey: key, authorization: `Bearer ${key}` };
      for (const path of [
        '/admin/users',
        '/invite',
        '/admin/generate_link',
        '/callback',
        '/authorize',
      ]) {
        expect((await site.ask(`/auth/v1${path}`, { headers })).status, path).toBe(404);
      }
    }
  });
});

describe('Coming back', () => {
  test('A person signs in with an emailed code, once', async () => {
    const email = 'bycode@example.com';
    await site.person(email);
    await site.browser().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const token = await codeIn(email);
    const browser = site.browser();
    const { data, error } = await browser.auth.verifyOtp({ email, token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    const again = await site.browser().auth.verifyOtp({ email, token, type: 'email' });
    expect(again.error?.code).toBe('otp_expired');
    // The link beside the code was the same invitation.
    const token_hash = await secretIn(email);
    const link = await site.browser().auth.verifyOtp({ token_hash, type: 'email' });
    expect(link.error?.code).toBe('otp_expired');
  });

  test('A forgotten password is replaced, and every other session ends', async () => {
    const email = 'forgot@example.com';
    const { browser: before } = await site.person(email);
    await site.browser().auth.resetPasswordForEmail(email, { redirectTo: `${SITE}/dashboard` });
    const link = linkIn(await site.letterTo(email));
    expect(link.pathname).toBe('/update-password');
    expect(link.searchParams.get('next')).toBe('/dashboard');
    const browser = site.browser();
    const events: string[] = [];
    browser.auth.onAuthStateChange((event) => void events.push(event));
    const token_hash = link.searchParams.get('token_hash') ?? '';
    expect((await browser.auth.verifyOtp({ token_hash, type: 'recovery' })).error).toBeNull();
    expect(events).toContain('PASSWORD_RECOVERY');

    const seen = () => before.from('profiles').select('user_id');
    expect((await seen()).data).toHaveLength(1);
    const same = await browser.auth.updateUser({ password: PASSWORD });
    expect(same.error?.code).toBe('same_password');
    const weak = await browser.auth.updateUser({ password: 'password123' });
    expect(weak.error?.code).toBe('weak_password');
    const done = await browser.auth.updateUser({ password: 'another-quiet-lattice' });
    expect(done.error).toBeNull();
    expect((await site.letterTo(email)).subject).toBe('Your password was changed');
    // At once, not when the token ends.
    expect((await seen()).status).toBe(401);
    expect((await before.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await browser.auth.getUser()).error).toBeNull();
    const old = await site.browser().auth.signInWithPassword({ email, password: PASSWORD });
    expect(old.error?.code).toBe('invalid_credentials');
  });

  test('Who is simply signed in shows the present password for a new one, and has ten tries', async () => {
    const email = 'left-open@example.com';
    await site.person(email);
    const browser = site.browser();
    await browser.auth.signInWithPassword({ email, password: PASSWORD });
    const change = async (current_password?: string) => {
      const { error } = await browser.auth.updateUser({
        password: 'whoever-sat-down-here',
        ...(current_password === undefined ? {} : { current_password }),
      });
      return error?.code;
    };
    expect(await change()).toBe('current_password_required');
    expect(await change('')).toBe('current_password_required');
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await change(`guess-${tries}`)).toBe('current_password_mismatch');
    }
    expect(await change(PASSWORD)).toBe('over_request_rate_limit');
    await aMinutePasses();
    expect(await change(PASSWORD)).toBeUndefined();
  });

  test('An address changes when both mails were answered', async () => {
    const { browser } = await site.person('old@example.com');
    await aMinutePasses();
    const asked = await browser.auth.updateUser({ email: 'New@example.com' });
    expect(asked.data.user).toMatchObject({
      email: 'old@example.com',
      new_email: 'new@example.com',
    });

    const first = await site.browser().auth.verifyOtp({
      token_hash: await secretIn('new@example.com'),
      type: 'email_change',
    });
    expect(first.error).toBeNull();
    expect(first.data.session).toBeNull();
    expect((await browser.auth.getUser()).data.user?.email).toBe('old@example.com');

    const second = await site.browser().auth.verifyOtp({
      token_hash: await secretIn('old@example.com'),
      type: 'email_change',
    });
    expect(second.data.session).not.toBeNull();
    expect((await browser.auth.getUser()).data.user?.email).toBe('new@example.com');
  });

  test('Two links to one address do not stand for one to each', async () => {
    const { browser, id } = await site.person('half@example.com');
    await aMinutePasses();
    await browser.auth.updateUser({ email: 'not-mine@example.com' });
    // As two requests for the mail that cross each other leave it.
    const secrets = [await secretIn('half@example.com'), 'the-second-link-to-the-same-address'];
    await site.sql`
      insert into auth.one_time_tokens (user_id, kind, token_hash, email, expires_at)
      values (${id}, 'email_change_current', ${linkHash(secrets[1] ?? '')}, 'half@example.com',
        now() + interval '1 hour')`;
    for (const token_hash of secrets) {
      await site.browser().auth.verifyOtp({ token_hash, type: 'email_change' });
    }
    expect((await browser.auth.getUser()).data.user?.email).toBe('half@example.com');
  });

  test('Nobody can move to an address that has an account, nor learn that it has', async () => {
    await site.person('occupied@example.com');
    const { browser } = await site.person('mover@example.com');
    await aMinutePasses();
    const asked = await browser.auth.updateUser({ email: 'occupied@example.com' });
    expect(asked.error).toBeNull();
    expect(asked.data.user?.new_email).toBe('occupied@example.com');
    const letter = await site.letterTo('occupied@example.com');
    expect(letter.subject).toBe('You already have an account at Trellis');
    await site.browser().auth.verifyOtp({
      token_hash: await secretIn('mover@example.com'),
      type: 'email_change',
    });
    expect((await browser.auth.getUser()).data.user?.email).toBe('mover@example.com');
  });

  test('What a person says of themselves is theirs; what Auth says of them is not', async () => {
    const { browser } = await site.person('meta@example.com');
    const { data } = await browser.auth.updateUser({
      data: { theme: 'dark', email_verified: false, sub: 'someone-else' },
    });
    expect(data.user?.user_metadata).toMatchObject({ theme: 'dark', email_verified: true });
    expect(data.user?.user_metadata.sub).toBe(data.user?.id);
    const token = (await browser.auth.getSession()).data.session?.access_token ?? '';
    await site.ask('/auth/v1/user', {
      method: 'PUT',
      headers: { apikey: site.keys.publishableKey, authorization: `Bearer ${token}` },
      body: JSON.stringify({ app_metadata: { role: 'admin' }, role: 'service_role', aud: 'x' }),
    });
    const { data: after } = await browser.auth.getUser();
    expect(after.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
    expect(after.user?.role).toBe('authenticated');
  });
});
