/**
 * An island's access to Supabase: one client per page, loaded on first use, so that loading
 * supabase-js never delays a person's first click.
 */
import { browserConfig } from './app-config.ts';
import { loadModule } from './browser/load-module.ts';
import type { BrowserDb } from './supabase.ts';

let opening: Promise<BrowserDb> | undefined;

const parts = () => Promise.all([browserConfig(), loadModule(() => import('./supabase.ts'))]);

async function open(): Promise<BrowserDb> {
  const [config, { browserClient }] = await parts();
  return browserClient(config);
}

/**
 * This page's client. Throws an AppError of kind `network` if loading fails; the next call retries.
 */
export function db(): Promise<BrowserDb> {
  opening ??= open().catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/**
 * A separate client for a single operation: a session that it opens stays in memory and isn't
 * shared with this tab or others. Throws like `db`.
 */
export async function dbApart(): Promise<BrowserDb> {
  const [config, { clientApart }] = await parts();
  return clientApart(config);
}
