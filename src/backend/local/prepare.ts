import { connect, query } from '#backend/supabase/functions/_shared/connection.ts';
import { bootstrap } from './postgres/bootstrap.ts';
import { migrate, migrationsFolder } from './postgres/migrate.ts';

/** Any number; processes that prepare the same database wait for each other on it. */
const preparationLock = 4_913_001;

/**
 * Brings a database up to date: what Supabase gives, then the product's migrations. Several
 * processes may do it at once; one works and the others wait.
 *
 * @returns the names of the migrations that ran.
 */
export async function prepareDatabase(
  databaseUrl: string,
  folder = migrationsFolder,
): Promise<string[]> {
  // One connection: the lock is a session's, and ends with it.
  const db = connect(databaseUrl, { max: 1 });
  try {
    await query(db)`select pg_advisory_lock(${preparationLock})`;
    await bootstrap(db);
    return await migrate(db, folder);
  } finally {
    await db.destroy();
  }
}
