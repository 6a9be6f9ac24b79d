import { performance } from 'node:perf_hooks';
import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { hashPassword, passwordMatches } from '#backend/local/auth/passwords.ts';

vi.unmock('bcrypt');

const PASSWORD = 'a-quiet-green-lattice';

test('While many people register at once, everybody else is answered', async () => {
  const before = performance.eventLoopUtilization();
  const hashes = await Promise.all(Array.from({ length: 10 }, () => hashPassword(PASSWORD)));
  const { utilization } = performance.eventLoopUtilization(before);
  expect(new Set(hashes).size).toBe(10);
  // The share of that time that hashing blocked the event loop.
  expect(utilization).toBeLessThan(0.5);
});

test('More than can wait are refused at once instead of being kept in memory', async () => {
  const quick = await bcrypt.hash(PASSWORD, 4);
  const outcomes = Promise.allSettled(
    Array.from({ length: 200 }, () => passwordMatches(PASSWORD, quick)),
  );
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
  // Supabase Auth is written in Go, whose bcrypt uses the prefix $2a.
  const theirs = stored.replace(/^\$2b/, '$2a');
  expect(await passwordMatches(PASSWORD, theirs)).toBe(true);
  expect(await passwordMatches('another-green-lattice', theirs)).toBe(false);
  expect(await passwordMatches(PASSWORD, null)).toBe(false);
  // Not a bcrypt hash at all.
  expect(await passwordMatches(PASSWORD, 'not a hash')).toBe(false);
});
