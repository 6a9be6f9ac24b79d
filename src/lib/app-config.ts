/**
 * Where the backend is. The server reads its environment variables, which are set before it loads
 * the pages; the browser reads the config embedded in the page or fetches `/app-config.json`. None
 * of it is baked into the build.
 */
import { AppError } from './app-error.ts';
import { type Fetch, http } from './http.ts';
import { isLoopback } from './loopback.ts';

/** The config that a browser needs, and all that it may see. */
export interface AppConfig {
  supabaseUrl: string;
  publishableKey: string;
}

const isAppConfig = (given: unknown): given is AppConfig => {
  const { supabaseUrl, publishableKey } = Object(given) as Record<string, unknown>;
  return typeof supabaseUrl === 'string' && typeof publishableKey === 'string';
};

export interface ServerConfig extends AppConfig {
  /** The public origin of this site. */
  siteUrl: string;
  /** The URL that browsers call if it isn't this site's own: hosted Supabase, for example. */
  publicSupabaseUrl: string | undefined;
  /** Sends requests to the backend; without a network if it runs in this process. */
  fetch?: Fetch | undefined;
}

/** Reads the server's settings. Throws an AppError if the backend isn't configured. */
export function serverConfig(
  backendFetch?: Fetch,
  env: Record<string, string | undefined> = process.env,
): ServerConfig {
  const supabaseUrl = env.APP_SUPABASE_URL ?? env.PUBLIC_SUPABASE_URL;
  const publishableKey = env.APP_SUPABASE_PUBLISHABLE_KEY ?? env.PUBLIC_SUPABASE_PUBLISHABLE_KEY;
  if (!supabaseUrl || !publishableKey) {
    throw new AppError('unexpected', 'The site doesn’t know where its backend is.');
  }
  return {
    supabaseUrl,
    publishableKey,
    siteUrl: env.SITE_URL ?? 'http://127.0.0.1:4321',
    publicSupabaseUrl: env.PUBLIC_SUPABASE_URL || undefined,
    fetch: backendFetch,
  };
}

/** Host names that mean "all interfaces". */
const ANYWHERE = ['0.0.0.0', '[::]'];

/**
 * The origin of this site for the browser that requested `url`. A local site has several names
 * (localhost, 127.0.0.1), so the one in the address bar counts. Otherwise only `siteUrl` does: a
 * proxy may use an internal name, and an attacker can send any Host header.
 */
export function ownOrigin(url: URL, siteUrl: string): string {
  const site = new URL(siteUrl);
  const isHere = isLoopback(site.hostname) || ANYWHERE.includes(site.hostname);
  return isHere && site.protocol === 'http:' && isLoopback(url.hostname) ? url.origin : site.origin;
}

/** The config for the browser that requested `url`. An embedded backend has the page's origin. */
export function publicConfig(url: URL, config: ServerConfig = serverConfig()): AppConfig {
  return {
    supabaseUrl: config.publicSupabaseUrl ?? ownOrigin(url, config.siteUrl),
    publishableKey: config.publishableKey,
  };
}

/**
 * Finds the backend in a browser: from `<script type="application/json" id="app-config">` of an
 * on-demand page, else `/app-config.json`. Throws an AppError (`network`, or `unexpected`).
 */
export async function browserConfig(): Promise<AppConfig> {
  const text = document.getElementById('app-config')?.textContent;
  if (text) {
    const given: unknown = JSON.parse(text);
    if (isAppConfig(given)) return given;
  }
  try {
    const given = await http('/app-config.json');
    if (isAppConfig(given)) return given;
  } catch (cause) {
    throw new AppError('network', undefined, { cause });
  }
  throw new AppError('unexpected');
}
