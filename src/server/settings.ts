import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { projectRoot } from '#backend/local/project-root.ts';
import { isLoopback } from '#lib/loopback.ts';

/** An invalid setting. The message tells the operator what to change. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The validated environment variables. `.env.example` documents each. */
export interface Settings {
  port: number;
  host: string;
  /** Origin without a trailing slash. */
  siteUrl: string;
  /** Absolute path. */
  dataDir: string;
  smtpUrl: string | undefined;
  /** Proxies whose forwarding headers we trust: addresses and networks. */
  trustedProxies: string[];
  /** Bytes the embedded backend keeps free on its disk; if undefined, the volume's size decides. */
  diskReserve: number | undefined;
  backend:
    | { kind: 'embedded'; demo: boolean; databaseUrl: string | undefined }
    | { kind: 'supabase'; url: string; publishableKey: string };
}

function parsePort(value: string | undefined): number {
  const port = Number(value ?? 4321);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SettingsError(`PORT must be a whole number from 1 to 65535, not "${value}".`);
  }
  return port;
}

function parseOrigin(name: string, value: string): string {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new SettingsError(`${name} must be an http or https address, not "${value}".`);
  }
  return url.origin;
}

function parseProxies(value: string | undefined): string[] {
  const proxies = value?.split(',').map((each) => each.trim()) ?? [];
  for (const each of proxies) {
    const [address = '', bits, ...more] = each.split('/');
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const known = bits === undefined ? longest > 0 : /^\d+$/.test(bits) && Number(bits) <= longest;
    if (!known || more.length > 0) {
      throw new SettingsError(
        `TRUSTED_PROXIES lists addresses such as 10.0.0.5 and networks such as 10.1.0.0/16, not "${each}".`,
      );
    }
  }
  return proxies;
}

function parseReserve(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,7}$/.test(value)) {
    throw new SettingsError(`DISK_RESERVE_MB must be a whole number of megabytes, not "${value}".`);
  }
  return Number(value) * 1024 * 1024;
}

/** Reads the settings; an empty one counts as unset. Throws a SettingsError. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const read = (name: string) => env[name]?.trim() || undefined;
  const port = parsePort(read('PORT'));
  const host = read('HOST') ?? '127.0.0.1';
  const displayHost = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const siteUrl = parseOrigin('SITE_URL', read('SITE_URL') ?? `http://${displayHost}:${port}`);
  const dataDir = path.resolve(projectRoot, read('DATA_DIR') ?? '.data');
  const common = {
    port,
    host,
    siteUrl,
    dataDir,
    smtpUrl: read('SMTP_URL'),
    trustedProxies: parseProxies(read('TRUSTED_PROXIES')),
    diskReserve: parseReserve(read('DISK_RESERVE_MB')),
  };

  const supabaseUrl = read('PUBLIC_SUPABASE_URL');
  const demo = read('DEMO');
  if (demo !== undefined && !['0', '1'].includes(demo)) {
    throw new SettingsError(`DEMO must be 1 or 0, not "${demo}".`);
  }
  if (supabaseUrl) {
    if (demo === '1') {
      throw new SettingsError(
        "DEMO=1 creates accounts whose password everyone knows, so it isn't allowed with PUBLIC_SUPABASE_URL. Unset one of them.",
      );
    }
    const publishableKey = read('PUBLIC_SUPABASE_PUBLISHABLE_KEY');
    if (!publishableKey) {
      throw new SettingsError('PUBLIC_SUPABASE_URL needs PUBLIC_SUPABASE_PUBLISHABLE_KEY too.');
    }
    return {
      ...common,
      backend: {
        kind: 'supabase',
        url: parseOrigin('PUBLIC_SUPABASE_URL', supabaseUrl),
        publishableKey,
      },
    };
  }
  if (demo !== '0' && !isLoopback(host)) {
    throw new SettingsError(
      `Demo accounts have a password that everyone knows, so they aren't allowed on HOST=${host}, which other machines can reach. Set DEMO=0, or HOST=127.0.0.1.`,
    );
  }
  if (demo !== '0' && !isLoopback(new URL(siteUrl).hostname)) {
    throw new SettingsError(
      `Demo accounts have a password that everyone knows, so they aren't allowed with SITE_URL=${siteUrl}, which other people open. Set DEMO=0, or leave SITE_URL out.`,
    );
  }
  return {
    ...common,
    backend: { kind: 'embedded', demo: demo !== '0', databaseUrl: read('DATABASE_URL') },
  };
}

/** Loads the project's `.env`, if any, into process.env. Variables already set win. */
export function loadEnvFile(): void {
  const file = path.join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
