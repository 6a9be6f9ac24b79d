import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** The hash that identifies a caller in a process that just started with this secret key. */
async function callerIn(secret: string, forwarded: string): Promise<string> {
  vi.stubEnv('SUPABASE_SECRET_KEY', secret);
  vi.resetModules();
  const { hashOfCaller } = await import('#backend/supabase/functions/_shared/public-form.ts');
  const request = new Request('https://p.test', { headers: { 'x-forwarded-for': forwarded } });
  return hashOfCaller(request) ?? 'nobody in particular';
}

describe('Who sends a form, for the limits', () => {
  test('is one in every process of the backend, by the address that our own proxy wrote', async () => {
    const first = await callerIn('sb_secret_a', '192.0.2.1');
    expect(await callerIn('sb_secret_a', '198.51.100.1, 192.0.2.1')).toBe(first);
    expect(await callerIn('sb_secret_a', '192.0.2.2')).not.toBe(first);
  });

  test.each([
    ['192.0.2.1', '192.0.2.9', '192.0.3.1'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:2::1'],
    ['2001:db8::1', '2001:db8:0:9::1', '2001:db8:1::1'],
  ])('is in the same network as a neighbor: %s', async (address, neighbor, stranger) => {
    const of = async (forwarded: string) => (await callerIn('secret', forwarded)).split(':');
    const [network, sender] = await of(address);
    const [next, nextSender] = await of(neighbor);
    expect([next === network, nextSender === sender]).toEqual([true, false]);
    expect((await of(stranger))[0]).not.toBe(network);
  });

  test('has all of the 64 bits that a provider gives one client', async () => {
    const first = await callerIn('secret', '2001:db8:1:2::1');
    expect(await callerIn('secret', '2001:DB8:1:2:ffff::7')).toBe(first);
  });

  test('is nobody in particular behind a proxy that names nobody', async () => {
    expect(await callerIn('secret', '')).toBe('nobody in particular');
  });

  test('is named by nothing that can be worked out without the secret key', async () => {
    const first = await callerIn('sb_secret_a', '192.0.2.1');
    expect(first).toMatch(/^[\w-]{43}:[\w-]{43}$/);
    expect(await callerIn('sb_secret_b', '192.0.2.1')).not.toBe(first);
    expect(await callerIn('', '192.0.2.1')).not.toBe(await callerIn('', '192.0.2.1'));
  });
});
