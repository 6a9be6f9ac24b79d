import { AsyncLocalStorage } from 'node:async_hooks';

/** Values that are handed in for one call instead of being read from the environment. */
export type Settings = Record<string, string | undefined>;

const given = new AsyncLocalStorage<Settings>();

type DenoGlobal = { Deno?: { env: { get(name: string): string | undefined } } };

/**
 * A setting of the place where the function runs: the environment on Supabase (Deno), what the
 * embedded stack hands in otherwise.
 * @returns undefined when it is not set.
 */
export function setting(name: string): string | undefined {
  const own = given.getStore();
  if (own && name in own) return own[name];
  const deno = (globalThis as DenoGlobal).Deno;
  return deno ? deno.env.get(name) : process.env[name];
}

/**
 * The keys that only the backend itself has: SUPABASE_SECRET_KEY here, on Supabase a JSON object of
 * named keys in SUPABASE_SECRET_KEYS.
 */
export function secretKeys(): string[] {
  const named = JSON.parse(setting('SUPABASE_SECRET_KEYS') ?? '{}') as Record<string, string>;
  return [setting('SUPABASE_SECRET_KEY'), ...Object.values(named)].filter(
    (key) => key !== undefined && key !== '',
  ) as string[];
}

/** Runs something with these settings before those of the environment. */
export function withSettings<T>(settings: Settings, run: () => T): T {
  return given.run(settings, run);
}
