import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { startBackend } from '#backend/local/start.ts';
import { temporaryFolders } from './engine-process.ts';

const folders = temporaryFolders();
afterAll(folders.clear);

const siteUrl = 'http://127.0.0.1:4321';

test('A demo made by another edition is made anew; once somebody has registered it is refused', async () => {
  const dataDir = await folders.make();
  const said: string[] = [];
  const start = () =>
    startBackend({ dataDir, siteUrl, demo: true, tick: false, log: (line) => said.push(line) });

  const first = await start();
  const sql = postgres(first.databaseUrl, { max: 1, onnotice: () => {} });
  await sql`update supabase_migrations.schema_migrations set hash = 'edited'`;
  await sql`create table public.of_the_other_edition ()`;
  await sql.end();
  await first.close();

  const second = await start();
  expect(said).toContain('The migrations were edited; the demo database is made anew');
  const again = postgres(second.databaseUrl, { max: 1, onnotice: () => {} });
  const [left] = await again`select to_regclass('public.of_the_other_edition') as found,
    (select count(*)::int from businesses) as businesses`;
  expect(left).toEqual({ found: null, businesses: 28 });
  await again`
    insert into auth.users (id, email) values (gen_random_uuid(), 'someone@example.org')`;
  await again`update supabase_migrations.schema_migrations set hash = 'edited'`;
  await again.end();
  await second.close();

  await expect(start()).rejects.toThrow(/It holds more than demo data, so it is left as it is/);
}, 30_000);
