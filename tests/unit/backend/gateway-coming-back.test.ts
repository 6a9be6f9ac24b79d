import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkHash } from '#backend/local/auth/store.ts';
import { type GatewaySite, linkIn, openSite, PASSWORD, SITE } from './gateway-site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('Coming back', () => {
  test('A person signs in with an emailed code, once', async () => {
    const email = 'bycode@example.com';
    await site.person(email);
    await site.browser().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const token = await site.codeIn(email);
    const browser = site.browser();
    const { data, error } = await browser.auth.verifyOtp({ email, token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    const again = await site.browser().auth.verifyOtp({ email, token, type: 'email' });
    expect(again.error?.code).toBe('otp_expired');
    // The link beside the code was the same invitation.
    const token_hash = await site.secretIn(email);
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

  test('Asking again leaves the mail that is on its way as good as it was, until one is used', async () => {
    const email = 'impatient@example.com';
    await site.person(email);
    const { auth } = site.browser();
    const ask = {
      recovery: () => auth.resetPasswordForEmail(email),
      email: () => auth.signInWithOtp({ email }),
    };
    for (const type of ['recovery', 'email'] as const) {
      const secrets: string[] = [];
      const codes: string[] = [];
      for (let mail = 0; mail < 3; mail += 1) {
        await site.aMinutePasses();
        expect((await ask[type]()).error).toBeNull();
        secrets.push(await site.secretIn(email));
        codes.push(await site.codeIn(email));
      }
      const open = (token_hash = '') => site.browser().auth.verifyOtp({ token_hash, type });
      expect((await open(secrets[0])).error).toBeNull();
      expect((await open(secrets[1])).error?.code).toBe('otp_expired');
      expect((await open(secrets[2])).error?.code).toBe('otp_expired');
      if (type === 'email') {
        const token = codes[1] ?? '';
        const typed = await site.browser().auth.verifyOtp({ email, token, type });
        expect(typed.error?.code).toBe('otp_expired');
      }
    }
  });

  test('A change of address that is sent again works by the earlier mails as well, and not towards another address', async () => {
    const { browser } = await site.person('moving@example.com');
    const to = async (email: string) => {
      await site.aMinutePasses();
      expect((await browser.auth.updateUser({ email })).error).toBeNull();
    };
    const open = async (token_hash: string) =>
      (await site.browser().auth.verifyOtp({ token_hash, type: 'email_change' })).error?.code;
    await to('wrong-one@example.com');
    const stale = await site.secretIn('moving@example.com');
    await to('right-one@example.com');
    expect(await open(stale)).toBe('otp_expired');
    const first = await site.secretIn('moving@example.com');
    await to('right-one@example.com');
    expect(await open(first)).toBeUndefined();
    expect(await open(await site.secretIn('right-one@example.com'))).toBeUndefined();
    expect((await browser.auth.getUser()).data.user?.email).toBe('right-one@example.com');
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
    await site.aMinutePasses();
    expect(await change(PASSWORD)).toBeUndefined();
  });

  test('An hour after the mail, whoever sits at a browser that was left open shows it too', async () => {
    const email = 'left-since@example.com';
    const { browser } = await site.person(email);
    const change = async (password: string) =>
      (await browser.auth.updateUser({ password })).error?.code;
    expect(await change('chosen-right-after-the-mail')).toBeUndefined();
    await site.sql`
      update auth.mfa_amr_claims set created_at = created_at - interval '61 minutes',
        updated_at = updated_at - interval '61 minutes'`;
    await browser.auth.refreshSession();
    expect(await change('whoever-sat-down-here')).toBe('current_password_required');
  });

  test('An address changes when both mails were answered', async () => {
    const { browser } = await site.person('old@example.com');
    await site.aMinutePasses();
    const asked = await browser.auth.updateUser({ email: 'New@example.com' });
    expect(asked.data.user).toMatchObject({
      email: 'old@example.com',
      new_email: 'new@example.com',
    });

    const first = await site.browser().auth.verifyOtp({
      token_hash: await site.secretIn('new@example.com'),
      type: 'email_change',
    });
    expect(first.error).toBeNull();
    expect(first.data.session).toBeNull();
    expect((await browser.auth.getUser()).data.user?.email).toBe('old@example.com');

    const second = await site.browser().auth.verifyOtp({
      token_hash: await site.secretIn('old@example.com'),
      type: 'email_change',
    });
    expect(second.data.session).not.toBeNull();
    expect((await browser.auth.getUser()).data.user?.email).toBe('new@example.com');
  });

  test('Two links to one address do not stand for one to each', async () => {
    const { browser, id } = await site.person('half@example.com');
    await site.aMinutePasses();
    await browser.auth.updateUser({ email: 'not-mine@example.com' });
    // As two requests for the mail that cross each other leave it.
    const secrets = [
      await site.secretIn('half@example.com'),
      'the-second-link-to-the-same-address',
    ];
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
    await site.aMinutePasses();
    const asked = await browser.auth.updateUser({ email: 'occupied@example.com' });
    expect(asked.error).toBeNull();
    expect(asked.data.user?.new_email).toBe('occupied@example.com');
    const letter = await site.letterTo('occupied@example.com');
    expect(letter.subject).toBe('You already have an account at Trellis');
    await site.browser().auth.verifyOtp({
      token_hash: await site.secretIn('mover@example.com'),
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
