import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { recall } from './bootstrap.ts';
import { exists, syncFolder, writeAtomically } from './data-folder.ts';

/** Key of the last row that the demo data writes: a person wrote whatever is newer. */
export const DEMO_NOTE = 'demo';

/** Tables that the site writes to on its own, when nobody uses it or someone only signs in. */
const WRITTEN_BY_THE_SITE = [
  'jobs',
  'schedule_jobs',
  'rate_limits',
  'page_views',
  'benchmarks',
  'benchmark_businesses',
];

/** Signing in brings an account's contact up to date. Older editions have no such column. */
const OF_VISITORS = sql`and to_jsonb(t) ->> 'user_id' is null`;

/** The parts of a data folder. The database comes last: without it, the rest doesn't count. */
const COPIED = ['keys.json', 'postgres-passwords.json'];
const MOVED = ['storage', 'postgres'];

const OURS = /^before-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;
/** Name of the file that marks a folder as still being filled. */
const UNFINISHED = 'unfinished';

/**
 * Whether nothing has been written to a database of any edition since its demo data was created,
 * judging by the ID of the transaction that wrote each row. Also false if we can't tell.
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
        exists (
          select from ${sql.table(`${schema}.${name}`)} t
          where age(t.xmin) < demo.age ${name === 'contacts' ? OF_VISITORS : sql``}
        )`,
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
 * Moves the database and stored files of a data folder that's not in use into a new folder inside
 * it, which is a complete data folder itself. If a call was killed, the next one finishes its work.
 * Returns the path of the new folder.
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
