import postgres from 'postgres';
import type { Sql } from 'postgres';
import { bootstrap } from './bootstrap.ts';
import { migrate } from './migrate.ts';

/** Any number; processes that prepare the same database wait for each other on it. */
const preparationLock = 4_913_001;

/**
 * Opens a small pool for upkeep. Notices stay silent: migrations raise many.
 *
 * @param max connections at most.
 */
export function connect(databaseUrl: string, max = 4): Sql {
  return postgres(databaseUrl, { max, onnotice: () => {}, connection: { TimeZone: 'UTC' } });
}

/**
 * Brings a database up to date: what Supabase gives, then the product's migrations. Several
 * processes may do it at once; one works and the others wait.
 *
 * @returns the names of the migrations that ran.
 */
export async function prepareDatabase(databaseUrl: string): Promise<string[]> {
  const sql = connect(databaseUrl, 1);
  try {
    await sql`select pg_advisory_lock(${preparationLock})`;
    await bootstrap(sql);
    return await migrate(sql);
  } finally {
    await sql.end();
  }
}
