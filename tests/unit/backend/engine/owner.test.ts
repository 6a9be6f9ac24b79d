import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { serverPid } from '../../../fixtures/connection.ts';
import { ask, command, commandsFile, start, startSite, temporaryFolders } from './process.ts';

const makeFolder = temporaryFolders();
let dataDir: string;
beforeAll(async () => {
  dataDir = await makeFolder('plain');
});

const asRoot = process.getuid?.() === 0;
/** The id of the unprivileged user `nobody` on most systems. */
const nobody = 65_534;

/**
 * Why other users can't run the project from its folder, or an empty string if they can. In a home
 * folder that's closed to them, they can reach neither the project's Node nor its files.
 */
function whyOthersCannotRun(): string {
  if (!asRoot) return 'only root can start a program as another user';
  const read = 'require("node:fs").readFileSync(process.argv[1])';
  const args = ['-e', read, commandsFile];
  const tried = spawnSync(process.execPath, args, { uid: nobody, gid: nobody });
  if (tried.status === 0) return '';
  return `another user can't run ${process.execPath} with the files of ${process.cwd()}`;
}

/** Skips a test if there's a reason to, and prints it, because the default reporter doesn't. */
function skipBecause(why: string, { task, skip }: TestContext): void {
  if (why) process.stderr.write(`Skipped "${task.name}": ${why}\n`);
  skip(why !== '', why);
}

/** Whether a process is running. On Linux, zombies don't count. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('What was acknowledged is there after site and database are killed', async () => {
  const site = startSite(dataDir, { rows: true });
  await site.ready;
  await vi.waitFor(() => expect(site.said().split('\n').length).toBeGreaterThan(200), {
    timeout: 10_000,
    interval: 5,
  });
  process.kill((await serverPid(dataDir)) ?? 0, 'SIGKILL');
  await site.end('SIGKILL');
  const acknowledged = site.said().split('\n').slice(1, -1).map(Number);

  const kept = await ask(dataDir, (sql) => sql<{ n: number }[]>`select n from public.kept`);
  const found = new Set(kept.map(({ n }) => n));
  expect(acknowledged.filter((n) => !found.has(n))).toEqual([]);
});

test('A second site on the same data is refused and told who has it', async () => {
  const folder = await takeDataFolder(dataDir);
  const second = startSite(dataDir);
  await second.gone;
  expect(second.process.exitCode).toBe(1);
  expect(second.complained()).toContain(
    `DataFolderError: The data folder ${dataDir} is in use by process ${process.pid}, since `,
  );
  folder.release();
});

test('Only the owner of the folder can read its passwords', async () => {
  await ask(dataDir, async (sql) => {
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
  await ask(dataDir, async () => {
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
  const note = [process.pid, join(dataDir, 'postgres'), 1, 5432, '', '127.0.0.1', '', 'ready', ''];
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), note.join('\n'));
  expect(await ask(dataDir, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(isAlive(process.pid)).toBe(true);
});

test('A database server that a killed site left behind is stopped by the next start', async (context) => {
  // Under root, the server runs as another user, who needs setpriv to reach closed folders.
  skipBecause(asRoot ? whyOthersCannotRun() : '', context);
  await chmod(dataDir, 0o755);
  // Without setpriv in PATH, the server outlives its parent, as on systems that don't have setpriv.
  const site = startSite(dataDir, { env: { ...process.env, PATH: '/nowhere' } });
  await site.ready;
  const left = (await serverPid(dataDir)) ?? 0;
  await site.end('SIGKILL');
  expect(isAlive(left)).toBe(true);
  expect(await findRunningPostgres(dataDir)).toBeDefined();

  const rows = await ask(
    dataDir,
    (sql) => sql`
      select count(*)::int as n from quiz_questions q
      join quiz_versions v on v.id = q.version_id and v.state = 'published'`,
  );
  expect(rows).toEqual([{ n: 32 }]);
  expect(isAlive(left)).toBe(false);
});

test('An ordinary user starts a site in a folder of their own', async (context) => {
  skipBecause(whyOthersCannotRun(), context);
  const own = await makeFolder();
  await chmod(own, 0o755);
  await chown(own, nobody, nobody);
  const site = startSite(own, { uid: nobody, env: { ...process.env, HOME: own } });
  await site.ready;
  await site.end('SIGTERM');
  expect(site.process.exitCode).toBe(0);
});

test('The first admin is named while the site runs and while it does not', async () => {
  await expect(command(await makeFolder(), ['admin', 'a@demo.test'])).rejects.toMatchObject({
    stderr: expect.stringContaining('Start the site once'),
  });
  const demo = await makeFolder('demo');
  const site = await start(demo, { demo: true });
  await command(demo, ['admin', 'owner@demo.test']);
  await site.close();
  await command(demo, ['admin', 'OWNER2@demo.test']);
  await expect(command(demo, ['admin', 'nobody@demo.test'])).rejects.toMatchObject({
    stderr: 'There’s no account with the address nobody@demo.test.\n',
  });
  const admins = await ask(
    demo,
    (sql) => sql`
      select u.email from staff_roles s join auth.users u on u.id = s.user_id
      where s.role = 'admin' order by u.email`,
  );
  const names = admins.map(({ email }) => email);
  expect(names).toEqual(['admin@demo.test', 'owner@demo.test', 'owner2@demo.test']);
});

test('A site whose database died starts it again in place, and stops', async () => {
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const site = await start(dataDir, { tick: true, log });
  expect(await site.healthy()).toBe(true);
  const pid = (await serverPid(dataDir)) ?? 0;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(logged.join()).toContain('server is running again'), 15_000);
  expect(logged.join()).toContain('The database server stopped unexpectedly');
  expect(await serverPid(dataDir)).not.toBe(pid);
  await vi.waitFor(async () => expect(await site.healthy()).toBe(true), 10_000);
  // Closing the site during a restart works, too, and leaves no server running.
  process.kill((await serverPid(dataDir)) ?? 0, 'SIGKILL');
  await site.close();
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
  (await takeDataFolder(dataDir)).release();
});
