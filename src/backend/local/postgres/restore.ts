import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { listStoredFiles, notePath } from '../storage/folder.ts';
import { BackupError, type Manifest, unpackArchive } from './backup-archive.ts';
import { DataFolderError, exists, syncFolder, takeDataFolder } from './data-folder.ts';
import {
  giveClusterToServer,
  type PostgresServer,
  serverVersion,
  startPostgres,
} from './postgres.ts';

/** Folder, inside the data folder, where a backup is unpacked and tested. */
const DRAFT = 'restoring';
/** What a backup puts into a data folder. The database comes last: it makes the folder complete. */
const PARTS = ['keys.json', 'postgres-passwords.json', 'storage', 'postgres'];
/** What a data folder or a new disk may contain and still count as empty. */
const EMPTY_HAS = ['owner.lock', 'owner.json', 'lost+found'];

export interface RestoreReport {
  manifest: Manifest;
  accounts: number;
  businesses: number;
  tables: number;
  rows: number;
  storedFiles: number;
  /** Files that the database lists but the backup lacks. */
  missingFiles: number;
}

/**
 * Unpacks a backup into a data folder, which must be empty or not exist. It first unpacks into a
 * draft, compares each file with the manifest, starts the database, and reads every row and index.
 * If it's killed, no site starts on that folder, and the next restore starts over.
 * @throws {BackupError} if the backup can't be used.
 * @throws {DataFolderError} if the folder is in use or isn't empty.
 */
export async function restoreBackup(
  dataDir: string,
  file: string,
  log: (line: string) => void = () => {},
): Promise<RestoreReport> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new BackupError(`There is no backup at ${file}.`);
  const isNew = !(await exists(dataDir));
  const folder = await takeDataFolder(dataDir);
  try {
    await removeUnfinished(dataDir);
    await expectEmpty(dataDir);
    const draft = join(dataDir, DRAFT);
    const report = await unpackAndTry(file, draft, log).catch(async (error) => {
      await removeFolder(isNew ? dataDir : draft);
      throw error;
    });
    for (const name of PARTS) {
      if (await exists(join(draft, name))) await rename(join(draft, name), join(dataDir, name));
      await syncFolder(dataDir);
    }
    await removeFolder(draft);
    return report;
  } finally {
    folder.release();
  }
}

/**
 * @throws {DataFolderError} if a killed restore left this folder unfinished: a site would start
 * with an empty database.
 */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await exists(join(dataDir, DRAFT)))) return;
  if (!(await exists(join(dataDir, 'postgres')))) {
    throw new DataFolderError(
      `A restore into ${dataDir} didn't finish. Run it again: npm run restore -- <file>`,
    );
  }
  // The restore moved everything into place, and only left its draft behind.
  await removeFolder(join(dataDir, DRAFT));
}

async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  if (!names.includes(DRAFT) || names.includes('postgres')) return;
  // No site can have started here since, so all of these came from the unfinished restore.
  for (const name of [...PARTS, DRAFT]) await removeFolder(join(dataDir, name));
}

async function expectEmpty(dataDir: string): Promise<void> {
  const others = (await readdir(dataDir)).filter((name) => !EMPTY_HAS.includes(name));
  if (others.length === 0) return;
  throw new DataFolderError(
    `${dataDir} isn't empty (${others.slice(0, 3).join(', ')}), and a restore replaces nothing. ` +
      "Set DATA_DIR to a folder that's empty or doesn't exist.",
  );
}

async function unpackAndTry(
  file: string,
  draft: string,
  log: (line: string) => void,
): Promise<RestoreReport> {
  // Under root, the server runs as another user, who has to be able to traverse this folder.
  await mkdir(draft, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const manifest = await unpackArchive(file, draft);
  const version = await serverVersion();
  if (manifest.postgres !== version) {
    throw new BackupError(
      `The backup is from PostgreSQL ${manifest.postgres}, and this version of the site comes ` +
        `with ${version}. Restore it with version ${manifest.version} of the site.`,
    );
  }
  const cluster = join(draft, 'postgres');
  // Makes PostgreSQL reject a copy whose WAL ends before the backup does.
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  await giveClusterToServer(draft);
  // There's no WAL beyond the backup's, and nobody can connect until it's replayed.
  const settings = ['restore_command=exit 1', 'hot_standby=off'];
  const server = await startPostgres({ folder: draft, settings, log }).catch((error: Error) => {
    throw new BackupError(`The database in the backup didn't start.\n${error.message}`);
  });
  const db = connect(inDatabaseOf(server), { max: 1 });
  try {
    await checkIndexes(db);
    const counts = await readEverything(db);
    const files = await compareFiles(db, join(draft, 'storage'));
    return { manifest, ...counts, ...files };
  } finally {
    await db.destroy();
    await server.stop();
  }
}

/** Reads every row of every table completely, including values stored out of line (TOAST). */
async function readEverything(db: Database) {
  const tables = await query<{ schema: string; name: string }>(db)`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname !~ '^pg_toast'`;
  const counts = new Map<string, number>();
  for (const { schema, name } of tables) {
    const rows = await query<{ n: number }>(db)`
      select count(length(t::text))::int as n from ${sql.table(`${schema}.${name}`)} t`;
    counts.set(`${schema}.${name}`, rows[0]?.n ?? 0);
  }
  return {
    accounts: counts.get('auth.users') ?? 0,
    businesses: counts.get('public.businesses') ?? 0,
    tables: tables.length,
    rows: [...counts.values()].reduce((sum, n) => sum + n, 0),
  };
}

/** Compares indexes with their tables with PostgreSQL's amcheck; rolls back to leave no trace. */
async function checkIndexes(db: Database): Promise<void> {
  await db.connection().execute(async (session) => {
    await query(session)`begin`;
    await query(session)`create extension amcheck`;
    await query(session)`
      select bt_index_check(i.indexrelid, heapallindexed => true)
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and i.indisready and i.indisvalid and c.relpersistence = 'p'`;
    await query(session)`rollback`;
  });
}

async function compareFiles(db: Database, folder: string) {
  const whole = new Set<string>();
  for await (const file of listStoredFiles(folder)) {
    const found = await stat(join(folder, file.content)).catch(() => undefined);
    if (found?.size === file.size) whole.add(file.note);
  }
  const rows = await query<{ bucket: string; key: string }>(db)`
    select bucket_id as bucket, name as key from storage.objects`;
  const missing = rows.filter(({ bucket, key }) => !whole.has(notePath(bucket, key)));
  return { storedFiles: whole.size, missingFiles: missing.length };
}

/** The URL of the application's database for the superuser, who's allowed to check indexes. */
function inDatabaseOf(server: PostgresServer): string {
  const address = new URL(server.superuserUrl);
  address.pathname = new URL(server.url).pathname;
  return address.href;
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}
