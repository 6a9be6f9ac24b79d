import { createHash } from 'node:crypto';
import { copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterEach, describe, expect, test } from 'vitest';
import {
  applySchemas,
  migrate,
  migrationsFolder,
  prepareDatabase,
  readSchemas,
} from '#backend/local/postgres/migrate.ts';
import { readCatalog } from '../../../fixtures/catalog.ts';
import {
  asPerson,
  createTestDatabase,
  ensureTemplate,
  type TestDatabase,
} from '../../../fixtures/database.ts';

const RELEASE = '20261123000950_release_0_1_0.sql';

const made: TestDatabase[] = [];
afterEach(async () => {
  for (const database of made.splice(0)) await database.drop();
});
async function openDatabase(from: 'empty' | 'app'): Promise<TestDatabase> {
  const database = await createTestDatabase(from);
  made.push(database);
  return database;
}

/** Creates a database with release 0.1.0's migration only. */
async function releasedDatabase(): Promise<TestDatabase> {
  const onlyTheRelease = async ({ url }: TestDatabase) => {
    const folder = await mkdtemp(join(tmpdir(), 'release-'));
    await copyFile(`${migrationsFolder}/${RELEASE}`, join(folder, RELEASE));
    await prepareDatabase(url, folder);
    await rm(folder, { recursive: true });
  };
  await ensureTemplate('release', onlyTheRelease, 'empty');
  const database = await createTestDatabase('release');
  made.push(database);
  return database;
}

test('The migrations make what schemas/ says: edit both, or write one with `npm run db:migration -- <name>`', async () => {
  const [migrated, declared] = [await openDatabase('app'), await openDatabase('empty')];
  await applySchemas(declared.db);
  const [now, meant] = [await readCatalog(migrated.sql), await readCatalog(declared.sql)];
  expect(meant.length).toBeGreaterThan(1000);
  expect({
    onlyInMigrations: now.filter((line) => !meant.includes(line)),
    onlyInSchemas: meant.filter((line) => !now.includes(line)),
  }).toEqual({ onlyInMigrations: [], onlyInSchemas: [] });
});

test('Migrations run once', async () => {
  const { url, sql } = await openDatabase('app');
  expect(await prepareDatabase(url)).toEqual([]);
  const ledger = await sql`select hash from supabase_migrations.schema_migrations`;
  expect(ledger.filter(({ hash }) => hash)).toHaveLength((await readdir(migrationsFolder)).length);
});

test('A migration that fails leaves nothing of itself and says where', async () => {
  const { db, sql } = await openDatabase('app');
  const folder = await mkdtemp(join(tmpdir(), 'broken-'));
  await cp(migrationsFolder, folder, { recursive: true });
  await writeFile(
    join(folder, '29990101000000_broken.sql'),
    'create table public.half ();\n\nselect * from nothing_of_the_kind;\n',
  );
  await expect(migrate(db, folder)).rejects.toThrow(
    'Migration 29990101000000_broken.sql:3: relation "nothing_of_the_kind" does not exist',
  );
  expect(await sql`select to_regclass('public.half') as found`).toEqual([{ found: null }]);
  await rm(folder, { recursive: true });
});

test('Every file of schemas/ is in the list of config.toml', async () => {
  const folder = new URL('../schemas/', `file://${migrationsFolder}/`);
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.sql'),
  );
  expect((await readSchemas()).map(({ file }) => file).sort()).toEqual(
    files.map((name) => `schemas/${name}`).sort(),
  );
});

describe('A database of an earlier start', () => {
  /** Creates a database that ran the individual migrations that release 0.1.0 later combined. */
  async function databaseFromBeforeTheRelease() {
    const { url, sql } = await releasedDatabase();
    const text = await readFile(`${migrationsFolder}/${RELEASE}`, 'utf8');
    const parts = text.split(/^-- From (\d+)_(\w+)\.sql\n/m).slice(1);
    const rows = [];
    for (let place = 0; place < parts.length; place += 3) {
      const [version = '', name = '', part = ''] = parts.slice(place, place + 3);
      // Every part but the last ends with the blank line before the next part.
      const own = place + 3 < parts.length ? part.slice(0, -1) : part;
      rows.push({ version, name, hash: createHash('sha256').update(own).digest('hex') });
    }
    await sql`truncate supabase_migrations.schema_migrations`;
    await sql`insert into supabase_migrations.schema_migrations ${sql(rows)}`;
    return { url, sql, rows };
  }

  test('that ran the 47 files before the release goes on from the release, with its data', async () => {
    const { url, sql, rows } = await databaseFromBeforeTheRelease();
    expect(rows).toHaveLength(47);
    await sql`insert into auth.users (id, email) values (gen_random_uuid(), 'ana@example.org')`;
    const ran = await prepareDatabase(url);
    const files = await readdir(migrationsFolder);
    expect(ran).toHaveLength(files.length - 1);
    const ledger = await sql`
      select version from supabase_migrations.schema_migrations order by version`;
    expect(ledger).toHaveLength(files.length);
    expect(ledger[0]?.version).toBe(RELEASE.split('_')[0]);
    expect(await sql`select email from auth.users`).toEqual([{ email: 'ana@example.org' }]);
    expect(await prepareDatabase(url)).toEqual([]);
  });

  test('that ran other files is left alone', async () => {
    const { url, sql } = await databaseFromBeforeTheRelease();
    await sql`
      update supabase_migrations.schema_migrations set hash = 'edited'
      where version = '20261120000100'`;
    await expect(prepareDatabase(url)).rejects.toMatchObject({ name: 'OtherEdition' });
    const [row] = await sql`
      select count(*)::int as n from supabase_migrations.schema_migrations`;
    expect(row).toEqual({ n: 47 });
  });
});

describe('A database of release 0.1.0', () => {
  /** Every row of the tables that hold people's work. */
  async function readRows(sql: Sql) {
    const tables = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname <> all(array['mail_outbox', 'file_removals', 'schedule_jobs'])`;
    const rows: { table: string; row: object }[] = [];
    for (const { name } of tables) {
      // Without the words for searches, which the database makes from the rest.
      const found = await sql<{ row: object }[]>`
        select to_jsonb(t) - 'words' as row from public.${sql(name)} t`;
      rows.push(...found.map(({ row }) => ({ table: name, row })));
    }
    return rows;
  }

  /** Creates an owner's data with that release's own procedures. */
  async function live(sql: Sql) {
    const [owner, business, project] = [
      crypto.randomUUID(),
      crypto.randomUUID(),
      crypto.randomUUID(),
    ];
    await sql`
      insert into auth.users (id, email, email_confirmed_at) values (${owner}, 'ana@example.org', now())`;
    await asPerson(sql, { userId: owner }, async (tx) => {
      await tx`select public.create_business(${business}, 'Alder Bakery')`;
      await tx`select public.create_project(${project}, ${business}, 'Answer every lead')`;
      await tx`select public.move_project(${project}, 'planned')`;
      await tx`select public.add_project_update(gen_random_uuid(), ${project}, 'Called Ann.')`;
      await tx`select public.request_coaching(gen_random_uuid(), ${business}, 'Hello', '{}', true)`;
    });
    return { owner, business, project };
  }

  test('keeps what people wrote, and they go on with it', async () => {
    const { url, sql } = await releasedDatabase();
    const { owner, project } = await live(sql);
    const before = await readRows(sql);
    expect(before.length).toBeGreaterThan(8);
    expect((await prepareDatabase(url)).length).toBeGreaterThan(0);
    // Tables may have gained columns since.
    const kept = before.map(({ table, row }) => ({ table, row: expect.objectContaining(row) }));
    expect(await readRows(sql)).toEqual(expect.arrayContaining(kept));

    const [moved] = await asPerson(
      sql,
      { userId: owner },
      (tx) => tx`select public.move_project(${project}, 'in_progress') as answer`,
    );
    expect(moved?.answer).toMatchObject({ status: 'in_progress', refused: null });
  });

  test('goes on with the mail, the files and the schedule that wait in it', async () => {
    const { url, sql } = await releasedDatabase();
    await sql`
      insert into mail_outbox (to_address, template, data, state, attempts, last_error, sent_at, subject)
      values
        ('a@example.org', 'confirm', '{"link": "x"}', 'queued', 0, null, null, null),
        ('b@example.org', 'notice', '{"heading": "x"}', 'sending', 1, null, null, null),
        ('c@example.org', 'notice', '{"heading": "x"}', 'failed', 9, '550 no', null, null),
        ('d@example.org', 'notice', '{}', 'sent', 1, null, now(), 'Welcome')`;
    await sql`insert into file_removals (bucket_id, path, tries) values ('avatars', 'a/b.png', 20)`;
    await sql`
      update schedule_jobs set next_run_at = '2026-12-01', last_run_at = '2026-11-01'
      where name = 'delete_old_mail'`;
    const ids = await sql`select id from mail_outbox order by to_address`;
    await prepareDatabase(url);

    const mails = await sql`
      select id, to_address, template, data, state, attempts, last_error, subject from private.mails
      order by to_address`;
    expect(mails.map(({ id }) => ({ id }))).toEqual(ids);
    expect(mails).toMatchObject([
      { to_address: 'a@example.org', template: 'confirm', data: { link: 'x' }, state: 'waiting' },
      { state: 'running', attempts: 1 },
      { state: 'failed', attempts: 9, last_error: '550 no' },
      { state: 'done', subject: 'Welcome', data: {} },
    ]);
    expect(await sql`select payload, state from private.jobs where kind = 'remove_file'`).toEqual([
      { payload: { bucket: 'avatars', path: 'a/b.png' }, state: 'waiting' },
    ]);
    expect(
      await sql`select every, run_at, finished_at from private.jobs where kind = 'delete_old_jobs'`,
    ).toMatchObject([
      {
        every: '1 day',
        run_at: new Date('2026-12-01T00:00:00Z'),
        finished_at: new Date('2026-11-01T00:00:00Z'),
      },
    ]);
  });
});
