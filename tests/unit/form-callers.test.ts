import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** Who asks, as it is counted by a process that has just started with this secret key. */
async function callerIn(secret: string, forwarded: string): Promise<string> {
  vi.stubEnv('SUPABASE_SECRET_KEY', secret);
  vi.resetModules();
  const { callerOf } = await import('#backend/supabase/functions/_shared/public-form.ts');
  return callerOf(new Request('https://p.test', { headers: { 'x-forwarded-for': forwarded } }));
}

describe('Who sends a form, for the limits', () => {
  test('is one in every process of the backend, by the address that our own proxy wrote', async () => {
    const first = await callerIn('sb_secret_a', '192.0.2.1');
    expect(await callerIn('sb_secret_a', '198.51.100.1, 192.0.2.1')).toBe(first);
    expect(await callerIn('sb_secret_a', '192.0.2.2')).not.toBe(first);
  });

  test('is named by nothing that can be worked out without the secret key', async () => {
    const first = await callerIn('sb_secret_a', '192.0.2.1');
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(await callerIn('sb_secret_b', '192.0.2.1')).not.toBe(first);
    expect(await callerIn('', '192.0.2.1')).not.toBe(await callerIn('', '192.0.2.1'));
  });
});
