import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecret, otpauthUri, stepOfCode } from '#backend/local/auth/totp.ts';
import { type GatewaySite, openSite, PASSWORD } from './gateway-site.ts';

const codeAt = (secret: string, timestamp: number) => new TOTP({ secret }).generate({ timestamp });

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const step = 30_000;

/** Somebody with an authenticator app, and the moment (in ms) of the last code they used. */
async function personWithApp(email: string) {
  const { browser, id } = await site.person(email);
  const enrolled = await browser.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  if (enrolled.error || enrolled.data.type !== 'totp') throw new Error('Not enrolled');
  const { secret } = enrolled.data.totp;
  const factorId = enrolled.data.id;
  const used = Date.now() - step;
  const done = await browser.auth.mfa.challengeAndVerify({ factorId, code: codeAt(secret, used) });
  if (done.error) throw done.error;
  return { browser, id, factorId, secret };
}

describe('A second factor', () => {
  test('It cannot be guessed, taken over, or removed without its code', async () => {
    const email = 'guarded@example.com';
    const { secret, factorId } = await personWithApp(email);
    const thief = site.browser();
    await thief.auth.signInWithPassword({ email, password: PASSWORD });
    const level = await thief.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });

    const right = codeAt(secret, Date.now());
    const wrong = right === '000000' ? '000001' : '000000';
    const guessed = await thief.auth.mfa.challengeAndVerify({ factorId, code: wrong });
    expect(guessed.error?.code).toBe('mfa_verification_failed');
    for (const attempt of [
      await thief.auth.mfa.unenroll({ factorId }),
      await thief.auth.mfa.enroll({ factorType: 'totp' }),
      await thief.auth.updateUser({ password: 'the-thief-was-here-now' }),
      await thief.auth.updateUser({ email: 'thief@example.com' }),
    ]) {
      expect(attempt.error?.code).toBe('insufficient_aal');
    }

    const other = (await site.person('bystander@example.com')).browser;
    const foreign = await other.auth.mfa.challenge({ factorId });
    expect(foreign.error?.code).toBe('mfa_factor_not_found');

    await site.sql`delete from public.rate_limits`;
    for (let guess = 0; guess < 15; guess += 1) {
      await thief.auth.mfa.challengeAndVerify({ factorId, code: wrong });
    }
    const late = await thief.auth.mfa.challengeAndVerify({ factorId, code: right });
    expect(late.error?.code).toBe('over_request_rate_limit');
  });

  test('An app that a thief began to enrol does not stand in for the one that is there', async () => {
    const email = 'crossed@example.com';
    const { id } = await personWithApp(email);
    const thief = site.browser();
    await thief.auth.signInWithPassword({ email, password: PASSWORD });
    // As two enrolments that cross each other leave it.
    const [factorId, secret] = [crypto.randomUUID(), createSecret()];
    await site.sql`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
      values (${factorId}, ${id}, 'Thief', 'totp', 'unverified', ${secret})`;
    const tried = await thief.auth.mfa.challengeAndVerify({
      factorId,
      code: codeAt(secret, Date.now()),
    });
    expect(tried.error?.code).toBe('insufficient_aal');
  });

  test('Policies see no more than a visitor until the code was shown', async () => {
    const email = 'owes@example.com';
    const { secret, factorId, id } = await personWithApp(email);
    const browser = site.browser();
    await browser.auth.signInWithPassword({ email, password: PASSWORD });
    const owing = await browser.rpc('session_context');
    expect(owing.data).toMatchObject({ user_id: id, second_factor: 'required' });
    expect((await browser.from('profiles').select('user_id')).data).toEqual([]);

    const code = codeAt(secret, Date.now());
    const { data, error } = await browser.auth.mfa.challengeAndVerify({ factorId, code });
    expect(error).toBeNull();
    expect(data?.user.factors).toMatchObject([{ id: factorId, status: 'verified' }]);
    expect((await browser.auth.getClaims()).data?.claims).toMatchObject({
      aal: 'aal2',
      amr: [
        { method: 'totp', timestamp: expect.any(Number) },
        { method: 'password', timestamp: expect.any(Number) },
      ],
    });
    expect((await browser.rpc('session_context')).data).toMatchObject({
      second_factor: 'verified',
    });
    expect((await browser.from('profiles').select('user_id')).data).toEqual([{ user_id: id }]);

    const refreshed = await browser.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect((await browser.auth.getClaims()).data?.claims.aal).toBe('aal2');
  });

  test('A code and a challenge are good once', async () => {
    const email = 'shoulder@example.com';
    const { secret, factorId } = await personWithApp(email);
    const [first, second] = [site.browser(), site.browser()];
    await first.auth.signInWithPassword({ email, password: PASSWORD });
    await second.auth.signInWithPassword({ email, password: PASSWORD });
    const code = codeAt(secret, Date.now());
    expect((await first.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    const again = await second.auth.mfa.challengeAndVerify({ factorId, code });
    expect(again.error?.code).toBe('mfa_verification_failed');

    const next = codeAt(secret, Date.now() + step);
    const old = await second.auth.mfa.challenge({ factorId });
    await site.sql`update auth.mfa_challenges set created_at = now() - interval '6 minutes'`;
    const challengeId = old.data?.id ?? '';
    const late = await second.auth.mfa.verify({ factorId, challengeId, code: next });
    expect(late.error?.code).toBe('mfa_challenge_expired');
  });

  test('Enrolling ends the sessions that never showed a code; removing it asks for none', async () => {
    const email = 'enrols@example.com';
    const { browser: before } = await site.person(email);
    const after = site.browser();
    await after.auth.signInWithPassword({ email, password: PASSWORD });
    const { data } = await after.auth.mfa.enroll({ factorType: 'totp', issuer: 'Trellis & Co' });
    if (data?.type !== 'totp') throw new Error('Not enrolled');
    expect(data.totp.uri).toContain('otpauth://totp/Trellis%20%26%20Co:enrols%40example.com?');
    expect((await before.auth.getUser()).error).toBeNull();
    const code = codeAt(data.totp.secret, Date.now());
    await after.auth.mfa.challengeAndVerify({ factorId: data.id, code });
    expect((await before.auth.getUser()).error?.name).toBe('AuthSessionMissingError');

    expect((await after.auth.mfa.unenroll({ factorId: data.id })).error).toBeNull();
    await after.auth.refreshSession();
    expect((await after.auth.getClaims()).data?.claims.aal).toBe('aal1');
    expect((await after.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect((await after.rpc('session_context')).data).toMatchObject({ second_factor: 'none' });
  });
});

test('A clock may be half a minute off, and not more', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // RFC 6238, appendix B.
  expect(codeAt(secret, 59_000)).toBe('287082');
  const now = 1_700_000_010_000;
  const present = Math.floor(now / step);
  for (const off of [-1, 0, 1]) {
    expect(stepOfCode(secret, codeAt(secret, now + off * step), now)).toBe(present + off);
  }
  expect(stepOfCode(secret, codeAt(secret, now + 2 * step), now)).toBeNull();
  expect(otpauthUri(secret, 'A', 'b@c.de')).toContain(`secret=${secret}`);
});
