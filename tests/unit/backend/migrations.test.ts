import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { migrationsFolder } from '#backend/local/postgres/migrate.ts';
import { applySchemas, readSchemas } from '#backend/local/postgres/schemas.ts';
import { prepareDatabase } from '#backend/local/prepare.ts';
import { readCatalog } from '../../fixtures/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../../fixtures/database.ts';

const RELEASE = '20261123000950_release_0_1_0.sql';

const made: TestDatabase[] = [];
afterEach(async () => {
  for (const database of made.splice(0)) await database.drop();
});
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('empty');
  made.push(database);
  return database;
}

/** Brings an empty database to release 0.1.0 and no further. */
async function onlyTheRelease(databaseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    await copyFile(`${migrationsFolder}/${RELEASE}`, join(folder, RELEASE));
    await prepareDatabase(databaseUrl, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('The migrations make what schemas/ says: edit both, or write one with `npm run db:migration -- <name>`', async () => {
  const [migrated, declared] = [await emptyDatabase(), await emptyDatabase()];
  await prepareDatabase(migrated.url);
  await applySchemas(declared.db);
  const [now, meant] = [await readCatalog(migrated.sql), await readCatalog(declared.sql)];
  expect(meant.length).toBeGreaterThan(1000);
  expect({
    onlyInMigrations: now.filter((line) => !meant.includes(line)),
    onlyInSchemas: meant.filter((line) => !now.includes(line)),
  }).toEqual({ onlyInMigrations: [], onlyInSchemas: [] });
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
  /** As a start left it that ran the migrations before release 0.1.0 one by one. */
  async function databaseFromBeforeTheRelease() {
    const { url, sql } = await emptyDatabase();
    await onlyTheRelease(url);
    const text = await readFile(`${migrationsFolder}/${RELEASE}`, 'utf8');
    const parts = text.split(/^-- From (\d+)_(\w+)\.sql\n/m).slice(1);
    const rows = [];
    for (let place = 0; place < parts.length; place += 3) {
      const [version = '', name = '', part = ''] = parts.slice(place, place + 3);
      // Each part but the last is followed by the empty line before the next one.
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
