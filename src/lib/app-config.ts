/**
 * Where the backend is. The server reads its environment, which the server fills before it loads
 * the pages; the browser reads what came with the page, or asks `/app-config.json`. Nothing of it is
 * baked into the build.
 */
import * as v from 'valibot';
import { AppError } from './errors.ts';
import { isLoopback } from './loopback.ts';

const appConfig = v.object({ supabaseUrl: v.string(), publishableKey: v.string() });

/** What a browser needs to know, and all it may know. */
export type AppConfig = v.InferOutput<typeof appConfig>;

export interface ServerConfig extends AppConfig {
  /** The address under which people know this site. */
  siteUrl: string;
  /** What a browser calls where that is not the site itself; hosted Supabase then. */
  publicSupabaseUrl: string | undefined;
}

/** Reads the server's settings. Throws an AppError when the server has not set them. */
export function serverConfig(env: Record<string, string | undefined> = process.env): ServerConfig {
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
  };
}

/** The default address of a site that listens on all interfaces. */
const ANYWHERE = ['0.0.0.0', '[::]'];

/**
 * The origin of this site in the browser that asked for `url`. On the own machine it has several
 * names, and the one in the address bar counts. Anywhere else it is the site's own: a proxy may ask
 * by a name of this machine, and others make names up.
 */
export function ownOrigin(url: URL, siteUrl: string): string {
  const site = new URL(siteUrl);
  const isHere = isLoopback(site.hostname) || ANYWHERE.includes(site.hostname);
  return isHere && site.protocol === 'http:' && isLoopback(url.hostname) ? url.origin : site.origin;
}

/** What a page asked for at `url` tells its browser: the embedded backend answers on its own address. */
export function publicConfig(url: URL, config: ServerConfig = serverConfig()): AppConfig {
  return {
    supabaseUrl: config.publicSupabaseUrl ?? ownOrigin(url, config.siteUrl),
    publishableKey: config.publishableKey,
  };
}

/**
 * Finds the backend from a browser: `<script type="application/json" id="app-config">` of a page
 * that was asked for, else `/app-config.json`. Throws an AppError of kind `network`.
 */
export async function browserConfig(): Promise<AppConfig> {
  const text = document.getElementById('app-config')?.textContent;
  if (text) {
    const given: unknown = JSON.parse(text);
    if (v.is(appConfig, given)) return given;
  }
  try {
    const { http } = await import('./http.ts');
    const given: unknown = await http('/app-config.json');
    if (v.is(appConfig, given)) return given;
  } catch (cause) {
    throw new AppError('network', undefined, { cause });
  }
  throw new AppError('unexpected');
}
