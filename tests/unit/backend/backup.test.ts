import { execFile, spawn } from 'node:child_process';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import postgres from 'postgres';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeBackup } from '#backend/local/postgres/backup.ts';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { createDiskSpace } from '#backend/local/postgres/disk-space.ts';
import { findRunningSuperuser, startPostgres } from '#backend/local/postgres/postgres.ts';
import { type Backend, startBackend } from '#backend/local/start.ts';
import { createStorageFolder } from '#backend/local/storage/folder.ts';
import { startSite, temporaryFolders, typeStripping } from './engine-process.ts';

const run = promisify(execFile);
const commands = fileURLToPath(import.meta.resolve('#backend/local/commands.ts'));
const folders = temporaryFolders();
afterAll(folders.clear);

let dataDir: string;
let backups: string;
let site: Backend | undefined;
beforeEach(async () => {
  dataDir = await folders.make();
  backups = await folders.make();
});
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const settings = (folder: string, more = {}) => ({
  env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', ...more },
});
const command = (folder: string, ...words: string[]) =>
  run(process.execPath, [...typeStripping, commands, ...words], settings(folder));
/** What a command says that ends with exit 1. */
const refusal = (folder: string, ...words: string[]) =>
  command(folder, ...words).then(
    ({ stdout }) => expect.fail(`It went through: ${stdout}`),
    ({ code, stderr }: { code: number; stderr: string }) => {
      expect(code).toBe(1);
      return stderr;
    },
  );

async function start(): Promise<Backend> {
  site = await startBackend({
    dataDir,
    siteUrl: 'http://127.0.0.1:4321',
    demo: false,
    tick: false,
  });
  return site;
}

/** Stores files with their rows, and numbered rows, one after the other until it is stopped. */
async function write(databaseUrl: string, signal: AbortSignal): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const storage = createStorageFolder(join(dataDir, 'storage'), async () => false);
  await sql`create table public.kept (n int primary key, at timestamptz default clock_timestamp())`;
  let n = 0;
  while (!signal.aborted) {
    n += 1;
    const body = new TextEncoder().encode(`content ${n}`);
    await storage.uploadObject('avatars', `${n}`, undefined, body, 'text/plain', '');
    await sql.begin(async (tx) => {
      await tx`insert into storage.objects (bucket_id, name) values ('avatars', ${`${n}`})`;
      await tx`insert into public.kept (n) values (${n})`;
    });
  }
  await sql.end();
  return n;
}

/** Asks the database of a folder that no site uses. */
async function ask<Row extends object>(folder: string, question: string): Promise<Row[]> {
  const owned = await takeDataFolder(folder);
  const server = await startPostgres({ folder });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<Row[]>(question))];
  } finally {
    await sql.end();
    await server.stop();
    owned.release();
  }
}

test('A backup made while people write holds all that was acknowledged before its end', async () => {
  const { databaseUrl } = await start();
  const writing = new AbortController();
  const written = write(databaseUrl, writing.signal);
  const file = join(backups, 'site.tar.gz');
  const made = await command(dataDir, 'backup', file);
  expect(made.stdout).toContain(`${file} holds everything up to now`);
  writing.abort();
  const last = await written;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(backups)).toEqual(['site.tar.gz']);
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const slots = await sql`select slot_name from pg_replication_slots`;

  const target = join(backups, 'restored');
  const restored = await command(target, 'restore', file);
  const [, madeAt = ''] = / as it was on (\S+), made by/.exec(restored.stdout) ?? [];
  // Who starts the next write has been told that the one before is stored.
  const [told] = await sql`select max(n) - 1 as n from kept where at < ${madeAt}::timestamptz`;
  await sql.end();
  const rows = await ask<{ n: number; stored: boolean }>(
    target,
    `select k.n, o.id is not null as stored
      from kept k left join storage.objects o on o.name = k.n::text order by 1`,
  );
  expect(rows).toEqual(rows.map((_, at) => ({ n: at + 1, stored: true })));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeGreaterThanOrEqual(told?.n);
  expect(rows.length).toBeLessThanOrEqual(last);
  expect(slots).toHaveLength(0);

  expect(restored.stdout).not.toContain('had no content');
  const storage = createStorageFolder(join(target, 'storage'), async () => true);
  for (const { n } of rows) {
    const { body } = await storage.getObject('avatars', `${n}`);
    expect(await new Response(body).text()).toBe(`content ${n}`);
  }
  for (const name of ['keys.json', 'postgres-passwords.json']) {
    expect(await readFile(join(target, name), 'utf8')).toBe(
      await readFile(join(dataDir, name), 'utf8'),
    );
  }
}, 120_000);

test('A backup that is not whole or was altered is refused, and nothing is made of it', async () => {
  await start();
  await site?.close();
  site = undefined;
  const file = join(backups, 'site.tar.gz');
  await command(dataDir, 'backup', file);
  const whole = await readFile(file);
  const target = join(backups, 'restored');

  await writeFile(join(backups, 'text'), 'Dear backup,');
  expect(await refusal(target, 'restore', join(backups, 'text'))).toMatch(/a complete backup/);
  await writeFile(join(backups, 'cut'), whole);
  await truncate(join(backups, 'cut'), Math.floor(whole.length / 2));
  expect(await refusal(target, 'restore', join(backups, 'cut'))).toMatch(/a complete backup/);
  const altered = Buffer.from(gunzipSync(whole));
  const at = altered.indexOf('sb_publishable_');
  altered.write('X', at + 20);
  await writeFile(join(backups, 'altered'), gzipSync(altered));
  expect(await refusal(target, 'restore', join(backups, 'altered'))).toMatch(
    /has changed since it was made: keys\.json is missing or different/,
  );
  expect(await refusal(target, 'restore', join(backups, 'none'))).toMatch(/There is no backup/);
  expect(await readdir(backups)).toEqual(['altered', 'cut', 'site.tar.gz', 'text']);

  // A folder with anything in it is left alone.
  expect(await refusal(dataDir, 'restore', file)).toMatch(/isn't empty.*restore replaces nothing/);
  expect(await refusal(dataDir, 'backup', file)).toMatch(/already exists/);
  const inside = join(dataDir, 'postgres', 'backup');
  expect(await refusal(dataDir, 'backup', inside)).toMatch(/a part of the backup itself/);
  await rm(join(dataDir, 'keys.json'));
  expect(await refusal(dataDir, 'backup', join(backups, 'next'))).toMatch(/keys\.json.*missing/);
  expect(await readdir(backups)).toEqual(['altered', 'cut', 'site.tar.gz', 'text']);
}, 120_000);

test('A backup leaves the site its reserve, and nothing of itself when it comes upon it', async () => {
  await start();
  const file = join(backups, 'site.tar.gz');
  const superuserUrl = (await findRunningSuperuser(dataDir)) ?? '';
  const MB = 1024 * 1024;
  const disk = (free: number) =>
    createDiskSpace({
      folders: [backups],
      reserve: 100 * MB,
      look: async () => ({ free, size: 1000 * MB }),
      log: () => {},
    });
  const backup = (before: number, during: number) =>
    makeBackup({
      dataDir,
      superuserUrl,
      file,
      version: '0',
      space: {
        refusalToWrite: (needed) => disk(needed > 0 ? before : during).refusalToWrite(needed),
      },
    });
  await expect(backup(101 * MB, 101 * MB)).rejects.toMatchObject({
    name: 'BackupError',
    message: expect.stringMatching(/There isn't enough room in .*: 101 MB are free, about \d+ MB/),
  });
  expect(await readdir(backups)).toEqual([]);

  // Somebody else fills the disk after the first look.
  await expect(backup(900 * MB, 99 * MB)).rejects.toThrow(
    /: 99 MB are free, and 100 MB have to stay free/,
  );
  expect(await readdir(backups)).toEqual([]);

  const env = settings(dataDir, { DISK_RESERVE_MB: '9999999' });
  const refused = run(process.execPath, [...typeStripping, commands, 'backup', file], env);
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No backup was made'),
  });
}, 60_000);

test('A backup or a restore that is killed leaves nothing that the next one does not clear up', async () => {
  const running = startSite(dataDir);
  await running.ready;
  const file = join(backups, 'site.tar.gz');
  const killed = (folder: string, words: string[], reached: () => Promise<boolean>) =>
    new Promise<void>((resolve, reject) => {
      const all = [...typeStripping, commands, ...words];
      const child = spawn(process.execPath, all, { ...settings(folder), stdio: 'ignore' });
      child.once('exit', () => resolve());
      vi.waitFor(async () => expect(await reached()).toBe(true), { timeout: 30_000, interval: 1 })
        .then(() => child.kill('SIGKILL'))
        .catch(reject);
    });
  await killed(dataDir, ['backup', file], async () => (await readdir(backups)).length > 0);
  expect(await readdir(backups)).toEqual([expect.stringContaining('site.tar.gz.unfinished-')]);
  await command(dataDir, 'backup', file);
  expect(await readdir(backups)).toEqual(['site.tar.gz']);
  running.process.kill('SIGTERM');
  await running.gone;

  const target = join(backups, 'restored');
  const unpacking = () => stat(join(target, 'restoring/postgres/base')).then(Boolean, () => false);
  await killed(target, ['restore', file], unpacking);
  const refused = startSite(target);
  await refused.gone;
  expect(refused.complained()).toContain("didn't finish. Run it again");
  await command(target, 'restore', file);
  expect((await readdir(target)).filter((name) => name.startsWith('restoring'))).toEqual([]);
  const rows = await ask(target, 'select count(*)::int as n from businesses');
  expect(rows).toEqual([{ n: 28 }]);
}, 120_000);

test('A database elsewhere is backed up by its own server', async () => {
  const env = settings(dataDir, { DATABASE_URL: 'postgresql://127.0.0.1:1/app' });
  for (const words of [
    ['backup', join(backups, 'site.tar.gz')],
    ['restore', join(backups, 'site.tar.gz')],
  ]) {
    const tried = run(process.execPath, [...typeStripping, commands, ...words], env);
    await expect(tried).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database is at DATABASE_URL, so its own server/),
    });
  }
});
