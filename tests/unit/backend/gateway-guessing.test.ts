import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, openSite, PASSWORD } from './gateway-site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('No answer tells whether an address has an account', () => {
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : value && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]))
        : typeof value;

  test('Registering a taken address looks the same, and its owner gets word of it', async () => {
    await site.person('taken@example.com');
    await site.aMinutePasses();
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
    await site.aMinutePasses();
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
    await site.aMinutePasses();
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

  test('Registering and then signing in with the same password tells nothing', async () => {
    await site.person('settled@example.com');
    await site.aMinutePasses();
    const answers = [];
    for (const email of ['settled@example.com', 'newcomer@example.com']) {
      const { auth } = site.browser();
      const password = 'the-same-for-both-of-them';
      expect((await auth.signUp({ email, password })).error).toBeNull();
      const { error } = await auth.signInWithPassword({ email, password });
      answers.push({ code: error?.code, status: error?.status, message: error?.message });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.code).toBe('invalid_credentials');
  });

  test('Known, unknown and unconfirmed addresses take the same time', async () => {
    await site.person('timed@example.com');
    await site.browser().auth.signUp({ email: 'unproved@example.com', password: PASSWORD });
    const once = async (email: string, password: string) => {
      const started = performance.now();
      await site.browser().auth.signInWithPassword({ email, password });
      return performance.now() - started;
    };
    // The shortest of several is what the work itself takes, whatever else the machine does.
    let [known, unknown, unproved] = Array(3).fill(Number.POSITIVE_INFINITY) as [
      number,
      number,
      number,
    ];
    const apart = () => Math.max(known, unknown, unproved) / Math.min(known, unknown, unproved);
    // A busy machine takes more of them; what is done for one only is never made up for.
    for (let round = 0; round < 8 || (round < 40 && apart() >= 1.4); round += 1) {
      known = Math.min(known, await once('timed@example.com', 'not-the-password'));
      unknown = Math.min(unknown, await once('no-one@example.com', 'not-the-password'));
      unproved = Math.min(unproved, await once('unproved@example.com', PASSWORD));
    }
    expect(apart()).toBeLessThan(1.4);
  });
});

describe('Limits', () => {
  test('After ten wrong passwords in a minute even the right one has to wait', async () => {
    const email = 'guessed@example.com';
    await site.person(email);
    await site.aMinutePasses();
    for (let guess = 0; guess < 10; guess += 1) {
      const { error } = await site
        .browser()
        .auth.signInWithPassword({ email, password: `guess ${guess}` });
      expect(error?.code).toBe('invalid_credentials');
    }
    const blocked = await site.browser().auth.signInWithPassword({ email, password: PASSWORD });
    expect(blocked.error).toMatchObject({ code: 'over_request_rate_limit', status: 429 });
  });

  const tryFrom = async (address: string, email: string, password = 'not-the-password') => {
    const { auth } = site.browser({ address });
    return (await auth.signInWithPassword({ email, password })).error?.code;
  };
  /** As if a place had failed a hundred times within this minute. */
  const flood = () =>
    site.sql`update public.rate_limits set hits = 100 where key like 'auth:sign-in-flood:%'`;

  test('A stranger who guesses elsewhere does not hold a person up where they have signed in before, nor learns where that is', async () => {
    const email = 'at-home@example.com';
    await site.person(email);
    await site.aMinutePasses();
    const [home, elsewhere] = ['198.51.100.20', '198.51.100.21'];
    expect(await tryFrom(home, email, PASSWORD)).toBeUndefined();
    for (let guess = 0; guess < 12; guess += 1) await tryFrom(`203.0.113.${guess}`, email);
    expect(await tryFrom(elsewhere, email, PASSWORD)).toBe('over_request_rate_limit');
    expect(await tryFrom(home, email, PASSWORD)).toBeUndefined();
    // A wrong password is answered alike there and elsewhere.
    expect(await tryFrom(elsewhere, email)).toBe('over_request_rate_limit');
    expect(await tryFrom(home, email)).toBe('over_request_rate_limit');
    // Nor is anybody there free to guess.
    for (let guess = 0; guess < 9; guess += 1) await tryFrom(home, email);
    expect(await tryFrom(home, email, PASSWORD)).toBe('over_request_rate_limit');
  });

  test('Wrong passwords of others at a place do not lock out who has the right one', async () => {
    const email = 'in-the-office@example.com';
    await site.person(email);
    await site.aMinutePasses();
    const office = '198.51.100.30';
    for (let guess = 0; guess < 12; guess += 1) await tryFrom(office, `other${guess}@example.com`);
    expect(await tryFrom(office, email)).toBe('over_request_rate_limit');
    expect(await tryFrom(office, email, PASSWORD)).toBeUndefined();
  });

  test('A place that floods is refused before a password is looked at, which counts against nobody', async () => {
    const email = 'hammered@example.com';
    await site.person(email);
    await site.aMinutePasses();
    const [flooding, elsewhere] = ['198.51.100.32', '198.51.100.33'];
    await tryFrom(flooding, 'other@example.com');
    await flood();
    for (let guess = 0; guess < 12; guess += 1) {
      expect(await tryFrom(flooding, email, PASSWORD)).toBe('over_request_rate_limit');
    }
    expect(await tryFrom(elsewhere, email, PASSWORD)).toBeUndefined();
  });

  test('One network address cannot try one password on many accounts', async () => {
    await site.aMinutePasses();
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
    await site.aMinutePasses();
    for (let time = 0; time < 12; time += 1) {
      const { error } = await site
        .browser({ address: '198.51.100.8' })
        .auth.signInWithPassword({ email, password: PASSWORD });
      expect(error).toBeNull();
    }
  });

  const codeOf = async (email: string) => {
    await site.sql`delete from public.rate_limits where key not like 'auth:code-mails:%'`;
    await site.browser().auth.signInWithOtp({ email });
    return site.codeIn(email);
  };
  const typeCode = async (email: string, token: string) =>
    (await site.browser().auth.verifyOtp({ email, token, type: 'email' })).error?.code;
  const not = (code: string) => (code === '000000' ? '000001' : '000000');

  test('A code cannot be guessed: ten wrong ones end it, and the link beside it still signs in', async () => {
    const email = 'coded@example.com';
    await site.person(email);
    const code = await codeOf(email);
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await typeCode(email, not(code))).toBe('otp_expired');
    }
    expect(await typeCode(email, code)).toBe('otp_expired');
    const link = { token_hash: await site.secretIn(email), type: 'email' } as const;
    expect((await site.browser().auth.verifyOtp(link)).error).toBeNull();
  });

  test('Of many guesses at once no more than ten are looked at', async () => {
    const email = 'at-once@example.com';
    await site.person(email);
    const code = await codeOf(email);
    const wrong = Array.from({ length: 30 }, () => typeCode(email, not(code)));
    await Promise.all(wrong);
    const [row] = await site.sql`
      select min(tries_left) as left from auth.one_time_tokens where email = ${email}`;
    expect(row?.left).toBe(0);
    expect(await typeCode(email, code)).toBe('otp_expired');
  });

  test('Wrong codes where none was sent use up nothing of a person’s day', async () => {
    const email = 'all-day@example.com';
    await site.person(email);
    for (let guess = 0; guess < 110; guess += 1) {
      expect(await typeCode(email, '123456')).toBe('otp_expired');
    }
    expect(await typeCode(email, await codeOf(email))).toBeUndefined();
  });

  test('Nobody makes new codes to guess all day: after twenty the mail has the link alone', async () => {
    const email = 'many-codes@example.com';
    await site.person(email);
    for (let mail = 0; mail < 20; mail += 1) expect(await codeOf(email)).toMatch(/^\d{6}$/);
    expect(await codeOf(email)).toBe('');
    const link = { token_hash: await site.secretIn(email), type: 'email' } as const;
    expect((await site.browser().auth.verifyOtp(link)).error).toBeNull();
  });

  test('Many people who ask for a code at once are all answered', async () => {
    const asked = Array.from({ length: 24 }, (_, n) =>
      site.browser().auth.signInWithOtp({ email: `at-once-${n}@example.com` }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ error }) => error)).toEqual(asked.map(() => null));
  });

  test('A stranger who asks for mails to an address all day uses up only their own share', async () => {
    const email = 'wanted-mail@example.com';
    await site.person(email);
    const recover = async (address: string) => {
      // A minute passes, but not the day.
      await site.sql`delete from public.rate_limits where key like 'auth:mail-recovery:%'`;
      const { error } = await site.browser({ address }).auth.resetPasswordForEmail(email);
      return error?.status;
    };
    const tries: (number | undefined)[] = [];
    for (let n = 0; n < 12; n += 1) tries.push(await recover('198.51.100.66'));
    expect(tries.slice(9)).toEqual([undefined, 429, 429]);
    const before = (await site.letters()).filter(({ to }) => to === email).length;
    expect(await recover('198.51.100.67')).toBeUndefined();
    expect((await site.letters()).filter(({ to }) => to === email)).toHaveLength(before + 1);
  });

  test('Where strangers have used up the mails of a mailbox, a link to sign in still arrives', async () => {
    const email = 'full-mailbox@example.com';
    await site.person(email);
    await site.sql`
      select private.send_mail(${email}, 'email-code', '{"code": "123456", "link": "https://p.test"}')
      from generate_series(1, 25)`;
    await site.sql`delete from public.rate_limits where key like 'auth:mail%'`;
    await site.browser().auth.signInWithOtp({ email });
    expect(await site.codeIn(email)).toBe('');
    const link = { token_hash: await site.secretIn(email), type: 'email' } as const;
    expect((await site.browser().auth.verifyOtp(link)).error).toBeNull();
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

test('Behind a proxy that names nobody, wrong passwords lock out only the account that they are for', async () => {
  const behind = await openSite({ trustedProxies: ['127.0.0.1'] });
  await behind.person('careful@example.com');
  const signIn = (email: string, password: string) =>
    behind
      .browser({ address: '127.0.0.1' })
      .auth.signInWithPassword({ email, password })
      .then(({ error }) => error?.status);
  for (let tries = 0; tries < 12; tries += 1) await signIn('guessed@example.com', 'not-this-one');
  expect(await signIn('guessed@example.com', 'not-this-one')).toBe(429);
  expect(await signIn('careful@example.com', PASSWORD)).toBeUndefined();
  await behind.close();
});
