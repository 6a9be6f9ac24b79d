import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#backend/local/project-root.ts';
import { isLoopback } from '#lib/loopback.ts';
import { readSettings, SettingsError } from '#server/settings.ts';

const supabase = {
  PUBLIC_SUPABASE_URL: 'https://x.supabase.co',
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
};

describe('An operator who sets something that cannot be is told what to change', () => {
  test.each([
    [{ HOST: '0.0.0.0' }, /DEMO=0/],
    [{ HOST: '192.168.1.5', DEMO: '1' }, /DEMO=0/],
    [{ HOST: '::' }, /DEMO=0/],
    [{ SITE_URL: 'https://trellis.example' }, /SITE_URL=https:\/\/trellis\.example.*DEMO=0/],
    [{ SITE_URL: 'http://192.168.1.5:4321', DEMO: '1' }, /DEMO=0/],
    [{ SITE_URL: 'https://127.0.0.1.evil.example' }, /DEMO=0/],
    [{ ...supabase, DEMO: '1' }, /isn't allowed with PUBLIC_SUPABASE_URL/],
    [{ PUBLIC_SUPABASE_URL: 'https://x.supabase.co' }, /PUBLIC_SUPABASE_PUBLISHABLE_KEY/],
    [
      { PUBLIC_SUPABASE_URL: 'x.supabase.co', PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'k' },
      /http or https/,
    ],
    [{ PORT: '70000' }, /PORT/],
    [{ PORT: 'http' }, /PORT/],
    [{ SITE_URL: 'javascript:alert(1)' }, /SITE_URL/],
    [{ DEMO: 'yes' }, /DEMO must be 1 or 0/],
    [{ DISK_RESERVE_MB: '1 GB' }, /must be a whole number of megabytes, not "1 GB"/],
    [
      { TRUSTED_PROXIES: 'proxy.example' },
      /TRUSTED_PROXIES lists addresses .* not "proxy.example"/,
    ],
    [{ TRUSTED_PROXIES: '10.0.0.5, 10.0.0.0/33' }, /not "10.0.0.0\/33"/],
    [{ TRUSTED_PROXIES: '10.0.0.5,' }, /not ""/],
    [{ TRUSTED_PROXIES: '2001:db8::/64/1' }, /not "2001:db8::\/64\/1"/],
  ])('%o', (env, words) => {
    const read = () => readSettings(env as Record<string, string>);
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(words);
  });
});

describe('What is left out has the value that .env.example names', () => {
  test('A newcomer sets nothing', () => {
    expect(readSettings({})).toEqual({
      port: 4321,
      host: '127.0.0.1',
      siteUrl: 'http://127.0.0.1:4321',
      dataDir: path.join(projectRoot, '.data'),
      smtpUrl: undefined,
      trustedProxies: [],
      backend: { kind: 'embedded', demo: true, databaseUrl: undefined },
    });
  });

  test('An empty variable counts as left out', () => {
    expect(readSettings({ PORT: '', DEMO: ' ', DATABASE_URL: '' })).toEqual(readSettings({}));
  });

  test('Other machines may reach a site without demo accounts', () => {
    const settings = readSettings({ HOST: '0.0.0.0', DEMO: '0', SITE_URL: 'https://a.example/' });
    expect(settings).toMatchObject({ siteUrl: 'https://a.example', backend: { demo: false } });
  });

  test('With demo accounts the site goes by any name of this machine', () => {
    for (const siteUrl of ['http://localhost:4321', 'http://127.0.0.1:8080', 'http://[::1]:4321']) {
      expect(readSettings({ SITE_URL: siteUrl })).toMatchObject({ siteUrl });
    }
  });

  test('Proxies on other machines are addresses and networks', () => {
    const { trustedProxies } = readSettings({
      TRUSTED_PROXIES: '10.0.0.5, 10.1.0.0/16,2001:db8::/32',
    });
    expect(trustedProxies).toEqual(['10.0.0.5', '10.1.0.0/16', '2001:db8::/32']);
  });

  test('With Supabase there is no embedded backend and no demo', () => {
    const { backend } = readSettings({
      ...supabase,
      PUBLIC_SUPABASE_URL: 'https://x.supabase.co/',
    });
    const url = 'https://x.supabase.co';
    expect(backend).toEqual({ kind: 'supabase', url, publishableKey: 'sb_publishable_x' });
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['localhost', true],
  ['[::1]', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
])('%s is reached from this machine only: %s', (host, only) => {
  expect(isLoopback(host)).toBe(only);
});
