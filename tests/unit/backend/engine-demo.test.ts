import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { startBackend } from '#backend/local/start.ts';
import { temporaryFolders } from './engine-process.ts';

const folders = temporaryFolders();
afterAll(folders.clear);

const start = (dataDir: string, demo: boolean) =>
  startBackend({ dataDir, siteUrl: 'http://127.0.0.1:4321', demo, tick: false });

test('Accounts whose password everyone knows never serve without DEMO=1', async () => {
  const dataDir = await folders.make();
  await (await start(dataDir, true)).close();

  await expect(start(dataDir, false)).rejects.toMatchObject({
    name: 'DataFolderError',
    message: expect.stringMatching(/demo accounts.*DATA_DIR/s),
  });
  // The refusal lets the folder go: with DEMO=1 it opens again.
  await (await start(dataDir, true)).close();
}, 30_000);

test('Everyone in the demo lives somewhere', async () => {
  const backend = await start(await folders.make(), true);
  const sql = postgres(backend.databaseUrl, { max: 1, onnotice: () => {} });
  const zones = await sql`select distinct time_zone from public.profiles order by 1`;
  await sql.end();
  await backend.close();
  expect(zones.map(({ time_zone }) => time_zone)).toEqual([
    'America/Chicago',
    'America/Denver',
    'America/Phoenix',
  ]);
}, 30_000);

test('An organisation starts without demo data, and keeps starting', async () => {
  const dataDir = await folders.make();
  const first = await start(dataDir, false);
  const sql = postgres(first.databaseUrl, { max: 1, onnotice: () => {} });
  expect(await sql`select from auth.users`).toHaveLength(0);
  await sql.end();
  await first.close();
  await (await start(dataDir, false)).close();
}, 30_000);
