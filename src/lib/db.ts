/**
 * The way from an island to Supabase: one client per page, loaded when it is first asked for, so that
 * supabase-js is not between a person and their first click.
 */
import { browserConfig } from './app-config.ts';
import { AppError } from './errors.ts';
import type { Db } from './supabase.ts';

let opening: Promise<Db> | undefined;

const parts = () =>
  Promise.all([
    browserConfig(),
    import('./supabase.ts').catch((cause) => {
      throw new AppError('network', undefined, { cause });
    }),
  ]);

async function open(): Promise<Db> {
  const [config, { browserClient }] = await parts();
  return browserClient(config);
}

/**
 * The client of this page. Throws an AppError of kind `network` when it cannot be loaded; the next
 * call tries again.
 */
export function db(): Promise<Db> {
  opening ??= open().catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/**
 * A client beside that of the page, for one act: what it signs in stays in its memory, and neither
 * this tab nor another one is told. Throws like `db`.
 */
export async function dbApart(): Promise<Db> {
  const [config, { clientApart }] = await parts();
  return clientApart(config);
}
