import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { recall } from './bootstrap.ts';
import { exists, syncFolder, writeAtomically } from './data-folder.ts';

/** The note that the demo leaves as its last row: whatever is newer was written by a person. */
export const DEMO_NOTE = 'demo';

/** Tables that the site writes to on its own, with nobody there or when someone only signs in. */
const WRITTEN_BY_THE_SITE = [
  'jobs',
  'schedule_jobs',
  'rate_limits',
  'page_views',
  'benchmarks',
  'benchmark_businesses',
];

/** What a data folder needs to be one; the database comes last, for it alone makes the rest count. */
const COPIED = ['keys.json', 'postgres-passwords.json'];
const MOVED = ['storage', 'postgres'];

const OURS = /^before-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;
/** Lies in a folder that is being filled. */
const UNFINISHED = 'unfinished';

/**
 * Whether nothing was written into a database of any edition since its demo data was made, by the
 * number of the transaction that wrote each row; false also where that can't be told.
 */
export async function holdsOnlyDemoData(databaseUrl: string): Promise<boolean> {
  const db = connect(databaseUrl, { max: 1 });
  try {
    if ((await recall(db, DEMO_NOTE)) === undefined) return false;
    const tables = await query<{ schema: string; name: string }>(db)`
      select n.nspname as schema, c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'private', 'storage')
        and c.relname <> all(${WRITTEN_BY_THE_SITE}::text[])`;
    const written = tables.map(
      ({ schema, name }) => sql`
        exists (select from ${sql.table(`${schema}.${name}`)} where age(xmin) < demo.age)`,
    );
    const row = await queryOne<{ only_demo: boolean }>(db)`
      select not (
        exists (select from auth.users where email is null or email not like '%@demo.test')
        or ${sql.join(written, sql` or `)}
      ) as only_demo
      from (
        select age(xmin) from supabase_migrations.local_state where key = ${DEMO_NOTE}
      ) as demo`;
    return row?.only_demo === true;
  } finally {
    await db.destroy();
  }
}

/**
 * Moves database and stored files of a stopped data folder into a folder inside it, which is a data
 * folder of its own; what a killed call left is finished by the next. Returns the path of that
 * folder.
 */
export async function moveOldDatabase(dataDir: string): Promise<string> {
  const place = (await findUnfinished(dataDir)) ?? (await makePlace(dataDir));
  for (const name of COPIED) {
    const [from, to] = [join(dataDir, name), join(place, name)];
    if ((await exists(from)) && !(await exists(to))) {
      await writeAtomically(to, await readFile(from, 'utf8'));
    }
  }
  await syncFolder(place);
  for (const name of MOVED) {
    if (await exists(join(dataDir, name))) await rename(join(dataDir, name), join(place, name));
  }
  await syncFolder(dataDir);
  await rm(join(place, UNFINISHED));
  return place;
}

async function findUnfinished(dataDir: string): Promise<string | undefined> {
  for (const name of await readdir(dataDir)) {
    const folder = join(dataDir, name);
    if (!OURS.test(name) || !(await exists(join(folder, UNFINISHED)))) continue;
    if (!(await exists(join(folder, 'postgres')))) return folder;
  }
  return undefined;
}

async function makePlace(dataDir: string): Promise<string> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const place = join(dataDir, `before-${time}`);
  await mkdir(place, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await writeFile(join(place, UNFINISHED), '');
  return place;
}
