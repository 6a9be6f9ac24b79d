import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exists } from '#backend/local/postgres/data-folder.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { connect } from '../../../fixtures/connection.ts';
import { startSite, temporaryFolders } from './process.ts';

const makeFolder = temporaryFolders();

/** Whether a SQL condition already holds in the half-created database. */
async function inDatabase(dataDir: string, question: string): Promise<boolean> {
  const url = await findRunningPostgres(dataDir);
  if (!url) return false;
  const sql = connect(url, 1);
  try {
    const [row] = await sql.unsafe(`select (${question}) as yes`);
    return row?.yes === true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}

const moments: [string, (dataDir: string) => Promise<boolean>][] = [
  [
    'while the cluster is being made',
    async (dataDir) => (await readdir(dataDir)).some((name) => name.startsWith('postgres.new-')),
  ],
  ['when the cluster has just got its name', (dataDir) => exists(join(dataDir, 'postgres'))],
  [
    'before the first migration',
    (dataDir) =>
      inDatabase(dataDir, `to_regclass('supabase_migrations.schema_migrations') is not null`),
  ],
  [
    'between two migrations',
    (dataDir) => inDatabase(dataDir, `to_regclass('public.businesses') is not null`),
  ],
  [
    'while the words are loaded',
    (dataDir) => inDatabase(dataDir, `to_regproc('public.admin_overview') is not null`),
  ],
  [
    'while the demo data is made',
    (dataDir) =>
      inDatabase(
        dataDir,
        `exists (select from supabase_migrations.local_state where key = 'words')`,
      ),
  ],
];

test('A first start that is killed at one moment after the other is finished by the next one', async () => {
  const dataDir = await makeFolder();
  for (const [moment, reached] of moments) {
    const site = startSite(dataDir, { demo: true });
    await vi.waitFor(async () => expect(await reached(dataDir), moment).toBe(true), {
      timeout: 25_000,
      interval: 2,
    });
    await site.end('SIGKILL');
    expect(site.complained(), moment).not.toContain('Error');
  }

  const site = startSite(dataDir, { demo: true });
  await site.ready;
  const url = await findRunningPostgres(dataDir);
  const sql = connect(url ?? '', 1);
  const [made] = await sql`select
    (
      select count(*)::int from quiz_questions q
      join quiz_versions v on v.id = q.version_id and v.state = 'published'
    ) as questions,
    (select count(*)::int from businesses) as businesses,
    (select count(*)::int from auth.users) as people`;
  await sql.end();
  expect(made).toEqual({ questions: 32, businesses: 28, people: 32 });
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);

  await site.end('SIGTERM');
  expect(site.process.exitCode).toBe(0);
}, 180_000);
