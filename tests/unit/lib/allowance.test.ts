import { expect, test, vi } from 'vitest';
import { createAllowance } from '#lib/allowance.ts';

test('One person’s requests are limited for a while, and others’ aren’t', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const allow = createAllowance(2, 60);
  allow('a');
  allow('a');
  expect(() => allow('a')).toThrow(expect.objectContaining({ kind: 'rate-limited' }));
  expect(() => allow('b')).not.toThrow();
  vi.advanceTimersByTime(60_000);
  expect(() => allow('a')).not.toThrow();
  vi.useRealTimers();
});
