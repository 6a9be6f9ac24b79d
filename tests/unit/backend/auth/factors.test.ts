import type { SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecret, otpauthUri, stepOfCode } from '#backend/local/auth/totp.ts';
import { codeOf, type GatewaySite, openSite, PASSWORD } from '../gateway/site.ts';

const step = 30_000;
const codeAt = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret }).generate({ timestamp });

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

async function enroll({ auth }: SupabaseClient, issuer = 'Trellis') {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', issuer });
  if (error || data.type !== 'totp') throw error ?? new Error('Not enrolled');
  return { factorId: data.id, ...data.totp };
}

const show = ({ auth }: SupabaseClient, factorId: string, code: string) =>
  auth.mfa.challengeAndVerify({ factorId, code });

/** Creates a user with a verified authenticator app, and two sessions that still need a code. */
async function personWithApp(email: string) {
  const { browser, id } = await site.person(email);
  const { factorId, secret } = await enroll(browser);
  expect(await codeOf(show(browser, factorId, codeAt(secret, Date.now() - step)))).toBeUndefined();
  const [first, second] = [site.browser(), site.browser()];
  for (const { auth } of [first, second]) {
    expect(await codeOf(auth.signInWithPassword({ email, password: PASSWORD }))).toBeUndefined();
  }
  return { id, factorId, secret, first, second };
}

test('It cannot be guessed, taken over, or removed without its code', async () => {
  const { secret, factorId, first: thief } = await personWithApp('guarded@example.com');
  const { mfa } = thief.auth;
  const level = await mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });

  const right = codeAt(secret);
  const wrong = right === '000000' ? '000001' : '000000';
  expect(await codeOf(show(thief, factorId, wrong))).toBe('mfa_verification_failed');
  for (const attempt of [
    mfa.unenroll({ factorId }),
    mfa.enroll({ factorType: 'totp' }),
    thief.auth.updateUser({ password: 'the-thief-was-here-now' }),
    thief.auth.updateUser({ email: 'thief@example.com' }),
  ]) {
    expect(await codeOf(attempt)).toBe('insufficient_aal');
  }
  const other = (await site.person('bystander@example.com')).browser;
  expect(await codeOf(other.auth.mfa.challenge({ factorId }))).toBe('mfa_factor_not_found');

  await site.aMinutePasses();
  for (let guess = 0; guess < 15; guess += 1) await show(thief, factorId, wrong);
  expect(await codeOf(show(thief, factorId, right))).toBe('over_request_rate_limit');
});

test('An app that a thief began to enroll does not stand in for the one that is there', async () => {
  const { id, first: thief } = await personWithApp('crossed@example.com');
  // Two concurrent enrollments leave a second, unverified factor like this.
  const [factorId, secret] = [crypto.randomUUID(), createSecret()];
  await site.sql`
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
    values (${factorId}, ${id}, 'Thief', 'totp', 'unverified', ${secret})`;
  expect(await codeOf(show(thief, factorId, codeAt(secret)))).toBe('insufficient_aal');
});

test('Policies see no more than a visitor until the code was shown', async () => {
  const { secret, factorId, id, first } = await personWithApp('owes@example.com');
  const context = async () => (await first.rpc('session_context')).data;
  const profiles = async () => (await first.from('profiles').select('user_id')).data;
  expect(await context()).toMatchObject({ user_id: id, second_factor: 'required' });
  expect(await profiles()).toEqual([]);

  const { data } = await show(first, factorId, codeAt(secret));
  expect(data?.user.factors).toMatchObject([{ id: factorId, status: 'verified' }]);
  expect((await first.auth.getClaims()).data?.claims).toMatchObject({
    aal: 'aal2',
    amr: [
      { method: 'totp', timestamp: expect.any(Number) },
      { method: 'password', timestamp: expect.any(Number) },
    ],
  });
  expect(await context()).toMatchObject({ second_factor: 'verified' });
  expect(await profiles()).toEqual([{ user_id: id }]);

  expect((await first.auth.refreshSession()).error).toBeNull();
  expect((await first.auth.getClaims()).data?.claims.aal).toBe('aal2');
});

test('A code and a challenge are good once', async () => {
  const { secret, factorId, first, second } = await personWithApp('shoulder@example.com');
  const code = codeAt(secret);
  expect(await codeOf(show(first, factorId, code))).toBeUndefined();
  expect(await codeOf(show(second, factorId, code))).toBe('mfa_verification_failed');

  const old = await second.auth.mfa.challenge({ factorId });
  await site.sql`update auth.mfa_challenges set created_at = now() - interval '6 minutes'`;
  const next = {
    factorId,
    challengeId: old.data?.id ?? '',
    code: codeAt(secret, Date.now() + step),
  };
  expect(await codeOf(second.auth.mfa.verify(next))).toBe('mfa_challenge_expired');
});

test('Enrolling ends the sessions that never showed a code; removing it asks for none', async () => {
  const email = 'enrolls@example.com';
  const { browser: before } = await site.person(email);
  const after = site.browser();
  await after.auth.signInWithPassword({ email, password: PASSWORD });
  const { factorId, secret, uri } = await enroll(after, 'Trellis & Co');
  expect(uri).toContain('otpauth://totp/Trellis%20%26%20Co:enrolls%40example.com?');
  expect((await before.auth.getUser()).error).toBeNull();
  await show(after, factorId, codeAt(secret));
  expect((await before.auth.getUser()).error?.name).toBe('AuthSessionMissingError');

  expect((await after.auth.mfa.unenroll({ factorId })).error).toBeNull();
  await after.auth.refreshSession();
  expect((await after.auth.getClaims()).data?.claims.aal).toBe('aal1');
  expect((await after.auth.mfa.listFactors()).data?.all).toEqual([]);
  expect((await after.rpc('session_context')).data).toMatchObject({ second_factor: 'none' });
});

test('A clock may be half a minute off, and not more', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // The test vector for 59 s in RFC 6238, appendix B (its last six digits).
  expect(codeAt(secret, 59_000)).toBe('287082');
  const now = 1_700_000_010_000;
  const present = Math.floor(now / step);
  const stepOf = (off: number) => stepOfCode(secret, codeAt(secret, now + off * step), now);
  expect([-1, 0, 1, 2].map(stepOf)).toEqual([present - 1, present, present + 1, null]);
  expect(otpauthUri(secret, 'A', 'b@c.de')).toContain(`secret=${secret}`);
});
