import { performance } from 'node:perf_hooks';
import { compareSync, hashSync } from 'bcryptjs';
import { expect, test } from 'vitest';
import { inPasswordThread } from '#backend/local/auth/password-pool.ts';
import { hashPassword, passwordMatches } from '#backend/local/auth/passwords.ts';

const PASSWORD = 'a-quiet-green-lattice';

test('While many people register at once, everybody else is answered', async () => {
  const before = performance.eventLoopUtilization();
  const hashes = await Promise.all(Array.from({ length: 10 }, () => hashPassword(PASSWORD)));
  const { utilization } = performance.eventLoopUtilization(before);
  expect(new Set(hashes).size).toBe(10);
  // The share of that time in which this thread could do nothing else.
  expect(utilization).toBeLessThan(0.5);
});

test('More than can wait are refused at once instead of being kept in memory', async () => {
  const quick = { password: PASSWORD, cost: 4 };
  const outcomes = Promise.allSettled(Array.from({ length: 200 }, () => inPasswordThread(quick)));
  await expect(hashPassword(PASSWORD)).rejects.toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
  });
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(100);
  expect(await passwordMatches(PASSWORD, await hashPassword(PASSWORD))).toBe(true);
});

test('A stored password is what Supabase Auth stores, in both directions', async () => {
  const stored = await hashPassword(PASSWORD);
  expect(stored).toMatch(/^\$2[ab]\$10\$/);
  expect(compareSync(PASSWORD, stored)).toBe(true);
  // Written by Go, whose version is 2a.
  const theirs = hashSync(PASSWORD, 10).replace(/^\$2b/, '$2a');
  expect(await passwordMatches(PASSWORD, theirs)).toBe(true);
  expect(await passwordMatches('another-green-lattice', theirs)).toBe(false);
  expect(await passwordMatches(PASSWORD, null)).toBe(false);
});

test('What is stored and is no hash is refused, and the next one is looked at', async () => {
  expect(await passwordMatches(PASSWORD, 'not a hash')).toBe(false);
  expect(await passwordMatches(PASSWORD, await hashPassword(PASSWORD))).toBe(true);
});
