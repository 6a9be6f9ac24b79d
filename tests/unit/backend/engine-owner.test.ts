import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, expect, type TestContext, test, vi } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { findRunningPostgres, startPostgres } from '#backend/local/postgres/postgres.ts';
import { startBackend } from '#backend/local/start.ts';
import { serverPid, startSite, temporaryFolders, typeStripping } from './engine-process.ts';

const run = promisify(execFile);
const commands = fileURLToPath(import.meta.resolve('#backend/local/commands.ts'));
const folders = temporaryFolders();
afterAll(folders.clear);

const asRoot = process.getuid?.() === 0;
/** A user of no particular rights, as most systems number them. */
const nobody = 65_534;

/**
 * Why no other user can run the project from where it is, or an empty text where they can. Below a
 * home folder that's closed to others, they reach neither the project's Node nor its files.
 */
function whyOthersCannotRun(): string {
  if (!asRoot) return 'only root can start a program as another user';
  const read = 'require("node:fs").readFileSync(process.argv[1])';
  const tried = spawnSync(process.execPath, ['-e', read, commands], { uid: nobody, gid: nobody });
  if (tried.status === 0) return '';
  return `another user can't run ${process.execPath} with the files of ${process.cwd()}`;
}

/** Skips a test where there is a reason to, and prints the reason: the usual reporter doesn't. */
function skipBecause(why: string, { task, skip }: TestContext): void {
  if (why) process.stderr.write(`Skipped "${task.name}": ${why}\n`);
  skip(why !== '', why);
}

/** Whether a process works; one that has ended and waits for its parent to notice does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Runs the server of a folder for as long as `fn` takes. */
async function withServer<Result>(
  dataDir: string,
  fn: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const folder = await takeDataFolder(dataDir);
  const server = await startPostgres({ folder: dataDir });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    return await fn(sql);
  } finally {
    await sql.end();
    await server.stop();
    folder.release();
  }
}

test('What was acknowledged is there after site and database are killed', async () => {
  const dataDir = await folders.make();
  const site = startSite(dataDir, { args: ['rows'] });
  await site.ready;
  await vi.waitFor(() => expect(site.said().split('\n').length).toBeGreaterThan(200), {
    timeout: 10_000,
    interval: 5,
  });
  const server = await serverPid(dataDir);
  process.kill(server ?? 0, 'SIGKILL');
  site.process.kill('SIGKILL');
  await site.gone;
  const acknowledged = site.said().split('\n').slice(1, -1).map(Number);

  const kept = await withServer(dataDir, (sql) => sql<{ n: number }[]>`select n from public.kept`);
  const found = new Set(kept.map(({ n }) => n));
  expect(acknowledged.filter((n) => !found.has(n))).toEqual([]);
}, 30_000);

test('A second site on the same data is refused and told who has it', async () => {
  const dataDir = await folders.make();
  const folder = await takeDataFolder(dataDir);
  const second = startSite(dataDir);
  await second.gone;
  expect(second.process.exitCode).toBe(1);
  expect(second.complained()).toContain(
    `The data folder ${dataDir} is in use by process ${process.pid}, since `,
  );
  folder.release();
});

test('Only the owner of the folder can read its passwords', async () => {
  const dataDir = await folders.make();
  await withServer(dataDir, async (sql) => {
    const { mode } = await stat(join(dataDir, 'postgres-passwords.json'));
    expect(mode & 0o777).toBe(0o600);
    const hba = await readFile(join(dataDir, 'postgres/pg_hba.conf'), 'utf8');
    expect(hba.split('\n').filter((line) => /^(local|host).*\btrust\b/.test(line))).toEqual([]);
    const [listening] = await sql`
      select current_setting('listen_addresses') as where, current_setting('fsync') as fsync,
        current_setting('is_superuser') as superuser`;
    expect(listening).toEqual({ where: '127.0.0.1', fsync: 'on', superuser: 'off' });
  });
});

test('A command beside a running site without its passwords says so, and makes no others', async () => {
  const dataDir = await folders.make();
  await withServer(dataDir, async () => {
    const path = join(dataDir, 'postgres-passwords.json');
    await rename(path, `${path}.away`);
    await expect(findRunningPostgres(dataDir)).rejects.toMatchObject({
      name: 'DataFolderError',
      message: expect.stringContaining(`${path} is missing`),
    });
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await rename(`${path}.away`, path);
    expect(await findRunningPostgres(dataDir)).toBeDefined();
  });
});

test('A stranger with the process number of a dead server does not stop the next start', async () => {
  const dataDir = await folders.make();
  await withServer(dataDir, async () => {});
  const note = [process.pid, join(dataDir, 'postgres'), 1, 5432, '', '127.0.0.1', '', 'ready', ''];
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), note.join('\n'));
  expect(await withServer(dataDir, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(isAlive(process.pid)).toBe(true);
});

test('A database server that a killed site left behind is stopped by the next start', async (context) => {
  // As root, the server runs as another user, who passes closed folders only by way of setpriv.
  skipBecause(asRoot ? whyOthersCannotRun() : '', context);
  const dataDir = await folders.make();
  // Without setpriv on the path the server does not end with its parent, as on other systems.
  const env = { ...process.env, PATH: '/nowhere' };
  const open = asRoot ? await openFolder(dataDir) : dataDir;
  const site = startSite(open, { env });
  await site.ready;
  const left = (await serverPid(open)) ?? 0;
  site.process.kill('SIGKILL');
  await site.gone;
  expect(isAlive(left)).toBe(true);
  expect(await findRunningPostgres(open)).toBeDefined();

  const rows = await withServer(open, (sql) => sql`select count(*)::int as n from businesses`);
  expect(rows).toEqual([{ n: 28 }]);
  expect(isAlive(left)).toBe(false);
}, 30_000);

test('An ordinary user starts a site in a folder of their own', async (context) => {
  skipBecause(whyOthersCannotRun(), context);
  const dataDir = await openFolder(await folders.make());
  await chown(dataDir, nobody, nobody);
  const site = startSite(dataDir, { uid: nobody, env: { ...process.env, HOME: dataDir } });
  await site.ready;
  site.process.kill('SIGTERM');
  await site.gone;
  expect(site.process.exitCode).toBe(0);
}, 30_000);

test('A site that cannot even be started says why at once', async () => {
  const site = startSite(await folders.make(), { program: '/nowhere/node' });
  await expect(site.ready).rejects.toThrow('spawn /nowhere/node ENOENT');
  await site.gone;
});

/** A folder made by root is closed to others; this one is not. */
async function openFolder(folder: string): Promise<string> {
  await chmod(folder, 0o755);
  return folder;
}

test('The first admin is named while the site runs and while it does not', async () => {
  const dataDir = await folders.make();
  const command = (email: string) =>
    run(process.execPath, [...typeStripping, commands, 'admin', email], {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    });
  await expect(command('owner@demo.test')).rejects.toMatchObject({
    stderr: expect.stringContaining('Start the site once'),
  });

  const site = startSite(dataDir);
  await site.ready;
  await command('owner@demo.test');
  site.process.kill('SIGTERM');
  await site.gone;
  await command('OWNER2@demo.test');
  await expect(command('nobody@demo.test')).rejects.toMatchObject({
    stderr: 'No account has the address nobody@demo.test.\n',
  });

  const admins = await withServer(
    dataDir,
    (sql) => sql`
      select u.email from staff_roles s join auth.users u on u.id = s.user_id
      where s.role = 'admin' order by u.email`,
  );
  expect(admins.map(({ email }) => email)).toEqual([
    'admin@demo.test',
    'owner@demo.test',
    'owner2@demo.test',
  ]);
}, 30_000);

test('A site whose database died starts it again in place, and stops', async () => {
  const dataDir = await folders.make();
  const said: string[] = [];
  const site = await startBackend({
    dataDir,
    siteUrl: 'http://127.0.0.1:4321',
    demo: false,
    log: (line) => said.push(line),
  });
  expect(await site.healthy()).toBe(true);
  const pid = (await serverPid(dataDir)) ?? 0;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(said.join()).toContain('server is running again'), 15_000);
  expect(said.join()).toContain('The database server stopped unexpectedly');
  expect(await serverPid(dataDir)).not.toBe(pid);
  await vi.waitFor(async () => expect(await site.healthy()).toBe(true), 10_000);
  // In the middle of a restart it still stops, and leaves no server behind.
  process.kill((await serverPid(dataDir)) ?? 0, 'SIGKILL');
  await site.close();
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
  const again = await takeDataFolder(dataDir);
  again.release();
}, 30_000);
