import { spawn } from 'node:child_process';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeBackup } from '#backend/local/postgres/backup.ts';
import { createDiskSpace } from '#backend/local/postgres/disk-space.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { restoreBackup } from '#backend/local/postgres/restore.ts';
import type { Backend } from '#backend/local/start.ts';
import { createStorageFolder } from '#backend/local/storage/folder.ts';
import { connect } from '../../../fixtures/connection.ts';
import { ask, command, commandsFile, start, temporaryFolders, typeStripping } from './process.ts';

const makeFolder = temporaryFolders();
let dataDir: string;
let backups: string;
let file: string;
let site: Backend;
beforeEach(async () => {
  dataDir = await makeFolder('plain');
  backups = await makeFolder();
  file = join(backups, 'site.tar.gz');
  site = await start(dataDir);
});
afterEach(() => site.close());

const MB = 1024 * 1024;
const disk = (free: number) =>
  createDiskSpace({
    folders: [backups],
    reserve: 100 * MB,
    look: async () => ({ free, size: 1000 * MB }),
    log: () => {},
  });

/** Backs up the running site with these numbers of bytes free at first and during the backup. */
async function backUp(to = file, before = 900 * MB, during = before) {
  const refusalToWrite = (needed: number) =>
    disk(needed > 0 ? before : during).refusalToWrite(needed);
  const superuserUrl = (await findRunningPostgres(dataDir, 'supabase_admin')) ?? '';
  return makeBackup({ dataDir, superuserUrl, file: to, version: '0', space: { refusalToWrite } });
}

/** Stores files and numbered rows, one after the other, until aborted; returns the last number. */
async function write(databaseUrl: string, signal: AbortSignal): Promise<number> {
  const sql = connect(databaseUrl, 1);
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

test('A backup made while people write holds all that was acknowledged before its end', async () => {
  const { databaseUrl } = site;
  const writing = new AbortController();
  const written = write(databaseUrl, writing.signal);
  const made = await command(dataDir, ['backup', file]);
  const [, told = ''] =
    /contains everything saved before (\S+): the database/.exec(made.stdout) ?? [];
  writing.abort();
  const last = await written;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(backups)).toEqual(['site.tar.gz']);
  const sql = connect(databaseUrl, 1);
  expect(await sql`select slot_name from pg_replication_slots`).toHaveLength(0);

  const target = join(backups, 'restored');
  const restored = await command(target, ['restore', file]);
  expect(restored.stdout).toContain(` as it was on ${told}, made by`);
  // The writer starts a row only after the previous one, n - 1, was acknowledged.
  const [before] = await sql`select max(n) - 1 as n from kept where at < ${told}::timestamptz`;
  await sql.end();
  const rows = await ask(
    target,
    (restoredSql) => restoredSql<{ n: number; stored: boolean }[]>`
      select k.n, o.id is not null as stored
      from kept k left join storage.objects o on o.name = k.n::text order by 1`,
  );
  expect(rows).toEqual(rows.map((_, at) => ({ n: at + 1, stored: true })));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeGreaterThanOrEqual(before?.n);
  expect(rows.length).toBeLessThanOrEqual(last);

  expect(restored.stdout).not.toContain('had no content');
  const storage = createStorageFolder(join(target, 'storage'), async () => true);
  for (const { n } of rows) {
    const { body } = await storage.getObject('avatars', `${n}`);
    expect(await new Response(body).text()).toBe(`content ${n}`);
  }
  for (const name of ['keys.json', 'postgres-passwords.json']) {
    expect(await readFile(join(target, name))).toEqual(await readFile(join(dataDir, name)));
  }
});

test('A backup that is not whole or was altered is refused, and nothing is made of it', async () => {
  await backUp();
  const whole = await readFile(file);
  const target = join(backups, 'restored');
  const restoring = (name: string) => restoreBackup(target, join(backups, name));

  await writeFile(join(backups, 'text'), 'Dear backup,');
  await expect(restoring('text')).rejects.toThrow(/a complete backup/);
  await writeFile(join(backups, 'cut'), whole);
  await truncate(join(backups, 'cut'), Math.floor(whole.length / 2));
  await expect(restoring('cut')).rejects.toThrow(/a complete backup/);
  const altered = Buffer.from(gunzipSync(whole));
  // A bit of the key is flipped.
  const place = altered.indexOf('sb_publishable_') + 20;
  altered.writeUInt8(altered.readUInt8(place) ^ 1, place);
  await writeFile(join(backups, 'altered'), gzipSync(altered, { level: 1 }));
  await expect(restoring('altered')).rejects.toThrow(
    /has changed since it was made: keys\.json is missing or different/,
  );
  await expect(restoring('none')).rejects.toThrow(/There is no backup/);
  expect(await readdir(backups)).toEqual(['altered', 'cut', 'site.tar.gz', 'text']);

  await expect(backUp()).rejects.toThrow(/already exists/);
  const inside = join(dataDir, 'postgres', 'backup');
  await expect(backUp(inside)).rejects.toThrow(/part of the backup itself/);
  await rm(join(dataDir, 'keys.json'));
  await expect(command(dataDir, ['backup', join(backups, 'next')])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/keys\.json.*missing/),
  });
  await site.close();
  // A restore doesn't touch a folder that isn't empty.
  await expect(restoreBackup(dataDir, file)).rejects.toThrow(
    /isn't empty.*restore replaces nothing/,
  );
  expect(await readdir(backups)).toEqual(['altered', 'cut', 'site.tar.gz', 'text']);
});

test('A backup leaves the site its reserve, and nothing of itself when it comes upon it', async () => {
  await expect(backUp(file, 101 * MB)).rejects.toMatchObject({
    name: 'BackupError',
    message: expect.stringMatching(/There isn't enough room in .*: 101 MB are free, about \d+ MB/),
  });
  expect(await readdir(backups)).toEqual([]);

  // Something else fills the disk after the first check.
  await expect(backUp(file, 900 * MB, 99 * MB)).rejects.toThrow(
    /: 99 MB are free, and 100 MB have to stay free/,
  );
  expect(await readdir(backups)).toEqual([]);

  const large = { DISK_RESERVE_MB: '9999999' };
  await expect(command(dataDir, ['backup', file], large)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No backup was made'),
  });
});

test('A backup or a restore that is killed leaves nothing that the next one does not clear up', async () => {
  const killed = (folder: string, words: string[], reached: () => Promise<boolean>) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, [...typeStripping, commandsFile, ...words], {
        env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' },
        stdio: 'ignore',
      });
      child.once('exit', () => resolve());
      vi.waitFor(async () => expect(await reached()).toBe(true), { timeout: 30_000, interval: 1 })
        .then(() => child.kill('SIGKILL'))
        .catch(reject);
    });
  await killed(dataDir, ['backup', file], async () => (await readdir(backups)).length > 0);
  expect(await readdir(backups)).toEqual([expect.stringContaining('site.tar.gz.unfinished-')]);
  await backUp();
  expect(await readdir(backups)).toEqual(['site.tar.gz']);

  const target = join(backups, 'restored');
  const unpacking = () => stat(join(target, 'restoring/postgres/base')).then(Boolean, () => false);
  await killed(target, ['restore', file], unpacking);
  await expect(start(target)).rejects.toThrow("didn't finish. Run it again");
  await restoreBackup(target, file);
  expect((await readdir(target)).filter((name) => name.startsWith('restoring'))).toEqual([]);
  const rows = await ask(
    target,
    (sql) => sql`
      select count(*)::int as n from quiz_questions q
      join quiz_versions v on v.id = q.version_id and v.state = 'published'`,
  );
  expect(rows).toEqual([{ n: 32 }]);
});
