import bcrypt from 'bcrypt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codeOf, type GatewaySite, openSite, PASSWORD } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** Creates an account, and clears the rate limits that its email counted toward. */
async function account(email: string): Promise<string> {
  await site.person(email);
  await site.aMinutePasses();
  return email;
}

/** Error codes of several tries, made one after the other. A success is undefined. */
async function each<Code>(count: number, ask: (n: number) => Promise<Code>): Promise<Code[]> {
  const codes: Code[] = [];
  for (let n = 0; n < count; n += 1) codes.push(await ask(n));
  return codes;
}

const WRONG = 'not-the-password';
const INVALID = 'invalid_credentials';
const LIMITED = 'over_request_rate_limit';

describe('No answer tells whether an address has an account', () => {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shape);
    if (!value || typeof value !== 'object') return typeof value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
  };

  test('Registering a taken address looks the same, and its owner is told by mail', async () => {
    const email = await account('taken@example.com');
    const signUp = (address: string) =>
      site.browser().auth.signUp({ email: address, password: PASSWORD });
    const [taken, fresh] = [await signUp(email), await signUp('fresh@example.com')];
    expect(taken.error).toBeNull();
    expect(shape(taken.data)).toEqual(shape(fresh.data));
    expect(taken.data.user?.identities).toHaveLength(1);
    const [row] = await site.sql`select id from auth.users where email = ${email}`;
    expect(taken.data.user?.id).not.toBe(row?.id);

    const letter = await site.letterTo(email);
    expect(letter.subject).toBe('You already have a Trellis account');
    expect(letter.text).not.toContain('token_hash');
    expect(await site.signIn(email)).toBeUndefined();
  });

  test('Recovering, a code and a second confirmation are answered alike, and limited alike', async () => {
    const known = await account('known@example.com');
    for (const email of [known, 'unknown@example.com']) {
      const { auth } = site.browser();
      const recover = () => auth.resetPasswordForEmail(email);
      expect(await codeOf(recover()), email).toBeUndefined();
      const options = { shouldCreateUser: false };
      expect(await codeOf(auth.signInWithOtp({ email, options })), email).toBeUndefined();
      expect(await codeOf(auth.resend({ type: 'signup', email })), email).toBeUndefined();
      const second = await recover();
      expect(second.error).toMatchObject({ code: 'over_email_send_rate_limit', status: 429 });
    }
    const rows = await site.sql`select from auth.users where email = 'unknown@example.com'`;
    expect(rows).toHaveLength(0);
    expect((await site.letters()).map(({ to }) => to)).not.toContain('unknown@example.com');
  });

  test('An unknown address and an account without a password or proof are refused like a wrong password, with as much work', async () => {
    const known = await account('wrong@example.com');
    await site.browser().auth.signInWithOtp({ email: 'codeonly@example.com' });
    await site.browser().auth.signUp({ email: 'unproved@example.com', password: PASSWORD });
    const compare = vi.spyOn(bcrypt, 'compare');
    const answers = new Set<string>();
    for (const [email, password] of [
      [known, WRONG],
      ['stranger@example.com', WRONG],
      ['codeonly@example.com', WRONG],
      ['unproved@example.com', PASSWORD],
    ] as const) {
      const { error } = await site.browser().auth.signInWithPassword({ email, password });
      answers.add(JSON.stringify([error?.code, error?.status, error?.message]));
    }
    expect([...answers]).toEqual([expect.stringContaining(INVALID)]);
    expect(compare).toHaveBeenCalledTimes(4);
    // With no stored hash, it compares against a dummy of the same cost, so timing reveals nothing.
    expect(compare.mock.calls[1]?.[1]).toMatch(/^\$2b\$10\$/);
  });

  test('Registering and then signing in with the same password tells nothing', async () => {
    const password = 'the-same-for-both-of-them';
    for (const email of [await account('settled@example.com'), 'newcomer@example.com']) {
      expect(await codeOf(site.browser().auth.signUp({ email, password }))).toBeUndefined();
      expect(await site.signIn(email, password)).toBe(INVALID);
    }
  });
});

describe('Limits on passwords', () => {
  test('After ten wrong ones in a minute even the right one has to wait', async () => {
    const email = await account('guessed@example.com');
    const codes = await each(10, (n) => site.signIn(email, `guess ${n}`));
    expect(codes).toEqual(Array(10).fill(INVALID));
    const blocked = await site.browser().auth.signInWithPassword({ email, password: PASSWORD });
    expect(blocked.error).toMatchObject({ code: LIMITED, status: 429 });
  });

  test('Someone who guesses elsewhere does not hold a person up where they have signed in before, nor learns where that is', async () => {
    const email = await account('at-home@example.com');
    const [home, elsewhere] = ['198.51.100.20', '198.51.100.21'];
    expect(await site.signIn(email, PASSWORD, home)).toBeUndefined();
    await each(12, (n) => site.signIn(email, WRONG, `203.0.113.${n}`));
    expect(await site.signIn(email, PASSWORD, elsewhere)).toBe(LIMITED);
    expect(await site.signIn(email, PASSWORD, home)).toBeUndefined();
    // A wrong password gets the same response from both addresses.
    expect(await site.signIn(email, WRONG, elsewhere)).toBe(LIMITED);
    expect(await site.signIn(email, WRONG, home)).toBe(LIMITED);
    // Guesses from the known address are limited, too.
    await each(9, () => site.signIn(email, WRONG, home));
    expect(await site.signIn(email, PASSWORD, home)).toBe(LIMITED);
  });

  test('Wrong passwords of others at a place do not lock out those who have the right one', async () => {
    const email = await account('in-the-office@example.com');
    const office = '198.51.100.30';
    await each(12, (n) => site.signIn(`other${n}@example.com`, WRONG, office));
    expect(await site.signIn(email, WRONG, office)).toBe(LIMITED);
    expect(await site.signIn(email, PASSWORD, office)).toBeUndefined();
  });

  test('A place that floods is refused before a password is looked at, which counts against nobody', async () => {
    const email = await account('hammered@example.com');
    const flooding = '198.51.100.32';
    await site.signIn('other@example.com', WRONG, flooding);
    // Pretend that this address failed 100 times within the last minute.
    await site.sql`update public.rate_limits set hits = 100 where key like 'auth:sign-in-flood:%'`;
    const codes = await each(12, () => site.signIn(email, PASSWORD, flooding));
    expect(codes).toEqual(Array(12).fill(LIMITED));
    expect(await site.signIn(email)).toBeUndefined();
  });

  test('One network address cannot try one password on many accounts', async () => {
    await site.aMinutePasses();
    const place = '198.51.100.7';
    const codes = await each(12, (n) => site.signIn(`spray${n}@example.com`, PASSWORD, place));
    expect(codes).toEqual([...Array(10).fill(INVALID), LIMITED, LIMITED]);
  });

  test('Right passwords are never held up, however often', async () => {
    const email = await account('often@example.com');
    const codes = await each(12, () => site.signIn(email, PASSWORD, '198.51.100.8'));
    expect(codes).toEqual(Array(12).fill(undefined));
  });
});

describe('Limits on codes and mails', () => {
  const mailCode = async (email: string) => {
    await site.sql`delete from public.rate_limits where key not like 'auth:code-mails:%'`;
    await site.browser().auth.signInWithOtp({ email });
    return site.codeIn(email);
  };
  const typeCode = (email: string, token: string) =>
    codeOf(site.browser().auth.verifyOtp({ email, token, type: 'email' }));
  const not = (code: string) => (code === '000000' ? '000001' : '000000');
  const expectTheLink = async (email: string) =>
    expect(await site.verify(await site.secretIn(email), 'email')).toBeUndefined();

  test('A code cannot be guessed: ten wrong ones end it, and the link beside it still signs in', async () => {
    const email = await account('coded@example.com');
    const code = await mailCode(email);
    const codes = await each(10, () => typeCode(email, not(code)));
    expect(codes).toEqual(Array(10).fill('otp_expired'));
    expect(await typeCode(email, code)).toBe('otp_expired');
    await expectTheLink(email);
  });

  test('Of many guesses at the same time no more than ten are looked at', async () => {
    const email = await account('at-once@example.com');
    const code = await mailCode(email);
    await Promise.all(Array.from({ length: 30 }, () => typeCode(email, not(code))));
    const [row] = await site.sql`
      select min(tries_left) as left from auth.one_time_tokens where email = ${email}`;
    expect(row?.left).toBe(0);
    expect(await typeCode(email, code)).toBe('otp_expired');
  });

  test('Wrong codes where none was sent use up nothing of a person’s day', async () => {
    const email = await account('all-day@example.com');
    const codes = await each(110, () => typeCode(email, '123456'));
    expect(new Set(codes)).toEqual(new Set(['otp_expired']));
    expect(await typeCode(email, await mailCode(email))).toBeUndefined();
  });

  test('Nobody makes new codes to guess all day: after twenty the mail has the link alone', async () => {
    const email = await account('many-codes@example.com');
    expect(await mailCode(email)).toMatch(/^\d{6}$/);
    await site.sql`update public.rate_limits set hits = 19 where key like 'auth:code-mails:%'`;
    expect(await mailCode(email)).toMatch(/^\d{6}$/);
    expect(await mailCode(email)).toBe('');
    await expectTheLink(email);
  });

  test('Many people who ask for a code at the same time are all answered', async () => {
    const codes = Array.from({ length: 24 }, (_, n) =>
      codeOf(site.browser().auth.signInWithOtp({ email: `at-once-${n}@example.com` })),
    );
    expect(await Promise.all(codes)).toEqual(Array(24).fill(undefined));
  });

  test('A stranger who asks for mails to an address all day uses up only their own share', async () => {
    const email = await account('wanted-mail@example.com');
    const recover = async (address: string) => {
      // Clear the 60-second limit, but not the daily one.
      await site.sql`delete from public.rate_limits where key like 'auth:mail-recovery:%'`;
      const { error } = await site.browser({ address }).auth.resetPasswordForEmail(email);
      return error?.status;
    };
    const statuses = await each(12, () => recover('198.51.100.66'));
    expect(statuses.slice(9)).toEqual([undefined, 429, 429]);
    const count = async () => (await site.letters()).filter(({ to }) => to === email).length;
    const before = await count();
    expect(await recover('198.51.100.67')).toBeUndefined();
    expect(await count()).toBe(before + 1);
  });

  test('Where strangers have used up the mails of a mailbox, a link to sign in still arrives', async () => {
    const email = await account('full-mailbox@example.com');
    await site.sql`
      select private.send_mail(${email}, 'email-code', '{"code": "123456", "link": "https://p.test"}')
      from generate_series(1, 25)`;
    await site.browser().auth.signInWithOtp({ email });
    expect(await site.codeIn(email)).toBe('');
    await expectTheLink(email);
  });
});

test('The admin interface does not exist, with whatever key', async () => {
  for (const key of [site.keys.publishableKey, site.keys.secretKey]) {
    const headers = { apikey: key, authorization: `Bearer ${key}` };
    for (const path of ['admin/users', 'invite', 'admin/generate_link', 'callback', 'authorize']) {
      expect((await site.ask(`/auth/v1/${path}`, { headers })).status, path).toBe(404);
    }
  }
});

test('Behind a proxy that names nobody, wrong passwords lock out only the account that they are for', async () => {
  const behind = await openSite({ trustedProxies: ['127.0.0.1'] });
  await behind.person('careful@example.com');
  const guess = () => behind.signIn('guessed@example.com', WRONG, '127.0.0.1');
  expect((await each(13, guess)).at(-1)).toBe(LIMITED);
  expect(await behind.signIn('careful@example.com', PASSWORD, '127.0.0.1')).toBeUndefined();
  await behind.close();
});
