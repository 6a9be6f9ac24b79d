import { AsyncLocalStorage } from 'node:async_hooks';
import type { MailBrand } from './mail/layout.ts';

type Settings = Record<string, string | undefined>;

const given = new AsyncLocalStorage<Settings>();

type DenoGlobal = { Deno?: { env: { get(name: string): string | undefined } } };

/** A setting, from the embedded stack or else from the environment. */
export function setting(name: string): string | undefined {
  const own = given.getStore();
  if (own && name in own) return own[name];
  const deno = (globalThis as DenoGlobal).Deno;
  return deno ? deno.env.get(name) : process.env[name];
}

/** The backend's secret keys, from SUPABASE_SECRET_KEY and, on Supabase, SUPABASE_SECRET_KEYS. */
export function secretKeys(): string[] {
  const named: unknown = JSON.parse(setting('SUPABASE_SECRET_KEYS') ?? '{}');
  return [setting('SUPABASE_SECRET_KEY'), ...Object.values(Object(named))].filter(
    (key): key is string => typeof key === 'string' && key !== '',
  );
}

/** Origin of the site, without a trailing slash. */
export const siteUrl = () => (setting('SITE_URL') ?? 'http://127.0.0.1:4321').replace(/\/+$/, '');

/** The sender, from MAIL_PRODUCT (or the site's host), MAIL_ORGANISATION and MAIL_ADDRESS. */
export function brandFromSettings(): MailBrand {
  const product = setting('MAIL_PRODUCT') ?? new URL(siteUrl()).host;
  return {
    product,
    organisation: setting('MAIL_ORGANISATION') ?? product,
    email: setting('MAIL_ADDRESS') ?? 'hello@localhost',
    siteUrl: siteUrl(),
  };
}

/** Runs a function with these settings, which override the environment. */
export function withSettings<T>(settings: Settings, run: () => T): T {
  return given.run(settings, run);
}
