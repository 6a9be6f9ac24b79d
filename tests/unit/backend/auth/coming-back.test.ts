import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkHash } from '#backend/local/auth/store.ts';
import { codeOf, type GatewaySite, linkIn, openSite, PASSWORD, SITE } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const emailOf = async (browser: ReturnType<GatewaySite['browser']>) =>
  (await browser.auth.getUser()).data.user?.email;

test('A person signs in with an emailed code, once', async () => {
  const email = 'bycode@example.com';
  await site.person(email);
  await site.browser().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  const proof = { email, token: await site.codeIn(email), type: 'email' } as const;
  const { data, error } = await site.browser().auth.verifyOtp(proof);
  expect([error, data.user?.email]).toEqual([null, email]);
  expect(await codeOf(site.browser().auth.verifyOtp(proof))).toBe('otp_expired');
  // The code and the link in the email are one credential: using either one uses up both.
  expect(await site.verify(await site.secretIn(email), 'email')).toBe('otp_expired');
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
  const secret = link.searchParams.get('token_hash') ?? '';
  expect(await site.verify(secret, 'recovery', browser)).toBeUndefined();
  expect(events).toContain('PASSWORD_RECOVERY');

  const seen = () => before.from('profiles').select('user_id');
  expect((await seen()).data).toHaveLength(1);
  const change = (password: string) => codeOf(browser.auth.updateUser({ password }));
  expect(await change(PASSWORD)).toBe('same_password');
  expect(await change('password123')).toBe('weak_password');
  expect(await change('another-quiet-lattice')).toBeUndefined();
  expect((await site.letterTo(email)).subject).toBe('Your password was changed');
  // The other session ends right away, not only when its token expires.
  expect((await seen()).status).toBe(401);
  expect((await before.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect(await emailOf(browser)).toBe(email);
  expect(await site.signIn(email)).toBe('invalid_credentials');
});

test.each(['recovery', 'email'] as const)(
  'Asking for another %s mail leaves the earlier ones as good as they were, until one is used',
  async (type) => {
    const email = `impatient-${type}@example.com`;
    await site.person(email);
    const { auth } = site.browser();
    const secrets: string[] = [];
    for (let mail = 0; mail < 3; mail += 1) {
      await site.aMinutePasses();
      const asked =
        type === 'recovery' ? auth.resetPasswordForEmail(email) : auth.signInWithOtp({ email });
      expect(await codeOf(asked)).toBeUndefined();
      secrets.push(await site.secretIn(email));
    }
    const token = await site.codeIn(email);
    const codes = [];
    for (const secret of secrets) codes.push(await site.verify(secret, type));
    expect(codes).toEqual([undefined, 'otp_expired', 'otp_expired']);
    if (type === 'email') {
      expect(await codeOf(auth.verifyOtp({ email, token, type }))).toBe('otp_expired');
    }
  },
);

test('Someone who is simply signed in shows the present password for a new one, and has ten tries', async () => {
  const email = 'left-open@example.com';
  await site.person(email);
  const browser = site.browser();
  await browser.auth.signInWithPassword({ email, password: PASSWORD });
  const change = (more: { current_password?: string }) =>
    codeOf(browser.auth.updateUser({ password: 'whoever-sat-down-here', ...more }));
  expect(await change({})).toBe('current_password_required');
  expect(await change({ current_password: '' })).toBe('current_password_required');
  for (let tries = 0; tries < 10; tries += 1) {
    const guess = { current_password: `guess-${tries}` };
    expect(await change(guess)).toBe('current_password_mismatch');
  }
  expect(await change({ current_password: PASSWORD })).toBe('over_request_rate_limit');
  await site.aMinutePasses();
  expect(await change({ current_password: PASSWORD })).toBeUndefined();
});

test('An hour after the mail, a browser that was left open needs the present password too', async () => {
  const { browser } = await site.person('left-since@example.com');
  const change = (password: string) => codeOf(browser.auth.updateUser({ password }));
  expect(await change('chosen-right-after-the-mail')).toBeUndefined();
  await site.sql`
    update auth.mfa_amr_claims set created_at = created_at - interval '61 minutes',
      updated_at = updated_at - interval '61 minutes'`;
  await browser.auth.refreshSession();
  expect(await change('whoever-sat-down-here')).toBe('current_password_required');
});

test('An address changes when both mails were answered, the one that was sent first as well', async () => {
  const { browser } = await site.person('old@example.com');
  const ask = async (email: string) => {
    await site.aMinutePasses();
    return browser.auth.updateUser({ email });
  };
  const open = async (mail: string) => site.verify(mail, 'email_change');
  await ask('wrong-one@example.com');
  const stale = await site.secretIn('old@example.com');
  const { data } = await ask('New@example.com');
  expect(data.user).toMatchObject({ email: 'old@example.com', new_email: 'new@example.com' });
  expect(await open(stale)).toBe('otp_expired');
  const first = await site.secretIn('old@example.com');
  await ask('new@example.com');

  const half = {
    token_hash: await site.secretIn('new@example.com'),
    type: 'email_change',
  } as const;
  const answer = await site.browser().auth.verifyOtp(half);
  expect([answer.error, answer.data.session]).toEqual([null, null]);
  expect(await emailOf(browser)).toBe('old@example.com');
  const whole = { token_hash: first, type: 'email_change' } as const;
  expect((await site.browser().auth.verifyOtp(whole)).data.session).not.toBeNull();
  expect(await emailOf(browser)).toBe('new@example.com');
});

test('Two links to one address do not stand for one to each', async () => {
  const { browser, id } = await site.person('half@example.com');
  await site.aMinutePasses();
  await browser.auth.updateUser({ email: 'not-mine@example.com' });
  // Two concurrent requests for the email leave two tokens like this.
  const second = 'the-second-link-to-the-same-address';
  const secrets = [await site.secretIn('half@example.com'), second];
  await site.sql`
    insert into auth.one_time_tokens (user_id, kind, token_hash, email, expires_at)
    values (${id}, 'email_change_current', ${linkHash(second)}, 'half@example.com',
      now() + interval '1 hour')`;
  for (const secret of secrets) await site.verify(secret, 'email_change');
  expect(await emailOf(browser)).toBe('half@example.com');
});

test('Nobody can move to an address that has an account, nor learn that it has', async () => {
  await site.person('occupied@example.com');
  const { browser } = await site.person('mover@example.com');
  await site.aMinutePasses();
  const { data, error } = await browser.auth.updateUser({ email: 'occupied@example.com' });
  expect([error, data.user?.new_email]).toEqual([null, 'occupied@example.com']);
  const letter = await site.letterTo('occupied@example.com');
  expect(letter.subject).toBe('You already have a Trellis account');
  await site.verify(await site.secretIn('mover@example.com'), 'email_change');
  expect(await emailOf(browser)).toBe('mover@example.com');
});

test('What a person says of themselves is theirs; what Auth says of them is not', async () => {
  const { browser } = await site.person('meta@example.com');
  const said = { theme: 'dark', email_verified: false, sub: 'someone-else' };
  const { data } = await browser.auth.updateUser({ data: said });
  const { id, user_metadata } = data.user ?? {};
  expect(user_metadata).toMatchObject({ theme: 'dark', email_verified: true, sub: id });
  await site.ask('/auth/v1/user', {
    method: 'PUT',
    headers: await site.headersOf(browser),
    body: JSON.stringify({ app_metadata: { role: 'admin' }, role: 'service_role', aud: 'x' }),
  });
  const { data: after } = await browser.auth.getUser();
  expect(after.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  expect(after.user?.role).toBe('authenticated');
});
