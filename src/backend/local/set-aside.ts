import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect } from '#backend/supabase/functions/_shared/connection.ts';
import { recall } from './bootstrap.ts';
import { exists, syncFolder } from './data-folder.ts';

/** The note that the demo leaves as its very last row: whatever is newer was written by somebody. */
export const DEMO_NOTE = 'demo';

/** Tables that the site writes by itself, with nobody there or when somebody only signs in. */
const WRITTEN_BY_THE_SITE = [
  'schedule_jobs',
  'rate_limits',
  'page_views',
  'benchmarks',
  'benchmark_businesses',
];

/** What a data folder needs to be one; the database comes last, for it alone makes the rest count. */
const COPIED = ['keys.json', 'postgres-passwords.json'];
const MOVED = ['storage', 'postgres'];

const PREFIX = 'before-';

/**
 * Whether nothing was written into a database since its demo data was made: no account, and no row of
 * any table that people write to. It asks by the number of the transaction that wrote each row, so it
 * knows nothing of the tables, and works for a database of any edition.
 *
 * @returns false also where that can't be told.
 */
export async function holdsOnlyDemoData(databaseUrl: string): Promise<boolean> {
  const db = connect(databaseUrl, { max: 1 });
  try {
    if ((await recall(db, DEMO_NOTE)) === undefined) return false;
    const { rows: tables } = await sql<{ schema: string; name: string }>`
      select n.nspname as schema, c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'private', 'storage')
        and c.relname <> all(${WRITTEN_BY_THE_SITE}::text[])`.execute(db);
    const written = tables.map(
      ({ schema, name }) => sql`
        exists (select from ${sql.table(`${schema}.${name}`)} where age(xmin) < demo.age)`,
    );
    const {
      rows: [row],
    } = await sql<{ only_demo: boolean }>`
      select not (
        exists (select from auth.users where email is null or email not like '%@demo.test')
        or ${sql.join(written, sql` or `)}
      ) as only_demo
      from (
        select age(xmin) from supabase_migrations.local_state where key = ${DEMO_NOTE}
      ) as demo`.execute(db);
    return row?.only_demo === true;
  } finally {
    await db.destroy();
  }
}

/**
 * Moves the database and the stored files of a data folder into a folder inside it, which is a
 * complete data folder of its own. The database server must not run. Killed at any moment, it's
 * finished by the next call. What was set aside before is removed, unless a site ran on it since.
 *
 * @returns the path of that folder.
 */
export async function setAside(dataDir: string): Promise<string> {
  const before = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
  let place = join(dataDir, PREFIX + new Date().toISOString().slice(0, 19).replaceAll(':', '-'));
  for (const name of before) {
    const folder = join(dataDir, name);
    if (!(await exists(join(folder, 'postgres')))) place = folder;
    else if (!(await exists(join(folder, 'owner.json')))) await removeFolder(folder);
  }
  await mkdir(place, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  for (const name of COPIED) {
    if (!(await exists(join(dataDir, name)))) continue;
    await cp(join(dataDir, name), join(place, name), { preserveTimestamps: true });
  }
  await syncFolder(place);
  for (const name of MOVED) {
    if (await exists(join(dataDir, name))) await rename(join(dataDir, name), join(place, name));
  }
  await syncFolder(dataDir);
  return place;
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}
