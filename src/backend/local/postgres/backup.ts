import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { connect, type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { listStoredFiles } from '../storage/folder.ts';
import { type ArchiveWriter, BackupError, createArchive } from './backup-archive.ts';
import { exists } from './data-folder.ts';
import type { DiskSpace } from './disk-space.ts';

/** Arbitrary number of the advisory lock that lets one backup of a database run at a time. */
const BACKUP_LOCK = 4_913_006;

/** Cluster folders copied empty: their content belongs to the running server, and is recreated. */
const EMPTIED = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
];
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label.*|tablespace_map.*|backup_manifest|recovery\.signal|.*\.tmp|t\d+_\d+.*)$/;
/** Copied last of the cluster's files, as PostgreSQL's own pg_basebackup does. */
const CONTROL_FILE = 'global/pg_control';

export interface BackupReport {
  /** ISO 8601; whatever was saved before is in the backup. */
  madeAt: string;
  /** Bytes. */
  size: number;
  storedFiles: number;
}

/**
 * Writes everything in a data folder to one file: database, keys, passwords and stored files.
 * People can use the site meanwhile; whatever they save before `madeAt` is in the backup.
 * The database is copied as a low-level base backup of PostgreSQL: between `pg_backup_start` and
 * `pg_backup_stop`, with the WAL written in between, which a temporary replication slot keeps until
 * its session ends. Stored files, which are written before their rows, are copied before the end,
 * and those that are new or changed once more after it.
 * @param superuserUrl connects to the folder's database server, which must be running.
 * @param version of the product.
 * @param space watches the disk that the file is on.
 * @throws {BackupError}
 */
export async function makeBackup(parts: {
  dataDir: string;
  superuserUrl: string;
  file: string;
  version: string;
  space: Pick<DiskSpace, 'refusalToWrite'>;
}): Promise<BackupReport> {
  const { dataDir, superuserUrl, version, space } = parts;
  const file = resolve(parts.file);
  const cluster = join(dataDir, 'postgres');
  if (await exists(file)) {
    throw new BackupError(`${file} already exists. Give the backup another name.`);
  }
  if (file.startsWith(cluster + sep) || file.startsWith(join(dataDir, 'storage') + sep)) {
    throw new BackupError(`${file} would be part of the backup itself. Choose another folder.`);
  }
  if (!(await exists(dirname(file)))) {
    throw new BackupError(`The folder ${dirname(file)} doesn't exist. Create it first.`);
  }
  if ((await readdir(join(cluster, 'pg_tblspc'))).length > 0) {
    throw new BackupError(
      `The database in ${cluster} has tablespaces outside that folder. A backup would miss them.`,
    );
  }

  const expectRoom = async (needed: number) => {
    const refusal = await space.refusalToWrite(needed);
    if (refusal) throw new BackupError(`No backup was made. ${refusal}`);
  };

  const db = connect(superuserUrl, { max: 1, name: 'trellis-backup' });
  let archive: ArchiveWriter | undefined;
  try {
    await expectRoom(await likelySize(db, dataDir));
    archive = await createArchive(file, () => expectRoom(0));
    const writer = archive;
    return await db
      .connection()
      .execute((session) => copyAll(session, writer, { dataDir, cluster, version }));
  } catch (error) {
    await archive?.abort();
    throw explained(error);
  } finally {
    await db.destroy();
  }
}

async function copyAll(
  session: Database,
  archive: ArchiveWriter,
  place: { dataDir: string; cluster: string; version: string },
): Promise<BackupReport> {
  const { dataDir, cluster, version } = place;
  const alone = await one(
    session,
    sql<{ ok: boolean }>`select pg_try_advisory_lock(${BACKUP_LOCK}) as ok`,
  );
  if (!alone.ok) throw new BackupError('Another backup is running. Try again after it finishes.');
  await query(session)`select pg_create_physical_replication_slot(
    ${`backup_${process.pid}`}, immediately_reserve => true, temporary => true)`;
  await query(session)`select pg_backup_start('backup', fast => true)`;

  for (const name of ['keys.json', 'postgres-passwords.json']) {
    await archive.addFile(name, join(dataDir, name));
  }
  await copyCluster(archive, cluster);
  const stored = new Map<string, string>();
  await copyStoredFiles(archive, join(dataDir, 'storage'), stored);

  // Before the end: pg_backup_stop goes on for a while after the last row that the backup has.
  const { at } = await one(session, sql<{ at: Date }>`select clock_timestamp() as at`);
  const end = await one(
    session,
    sql<{ label: string; map: string | null; last: string }>`
      select labelfile as label, nullif(spcmapfile, '') as map, pg_walfile_name(lsn) as last
      from pg_backup_stop(wait_for_archive => false)`,
  );
  await copyStoredFiles(archive, join(dataDir, 'storage'), stored);
  await archive.addText('postgres/backup_label', end.label);
  if (end.map) await archive.addText('postgres/tablespace_map', end.map);
  await copyWal(archive, cluster, { label: end.label, last: end.last });

  const postgres = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  const madeAt = at.toISOString();
  const size = await archive.finish({ version, postgres, madeAt });
  return { madeAt, size, storedFiles: stored.size };
}

/** Estimates a backup's size in bytes: tables compress to half or less, stored files barely. */
async function likelySize(db: Database, dataDir: string): Promise<number> {
  const tables = await one(
    db,
    sql<{ bytes: string }>`select sum(pg_database_size(oid)) as bytes from pg_database`,
  );
  let stored = 0;
  for await (const { size } of listStoredFiles(join(dataDir, 'storage'))) stored += size;
  return Number(tables.bytes) / 2 + stored;
}

async function copyCluster(archive: ArchiveWriter, cluster: string): Promise<void> {
  const copyFolder = async (folder: string) => {
    await archive.addFolder(`postgres${folder && `/${folder}`}`);
    if (EMPTIED.includes(folder)) return;
    for (const entry of await readdir(join(cluster, folder), { withFileTypes: true })) {
      const name = folder ? `${folder}/${entry.name}` : entry.name;
      if (LEFT_OUT.test(entry.name) || name === CONTROL_FILE) continue;
      // pg_wal may be a link to another disk; its content isn't copied here.
      if (entry.isDirectory() || EMPTIED.includes(name)) await copyFolder(name);
      else if (entry.isFile()) await copyFile(archive, `postgres/${name}`, join(cluster, name));
    }
  };
  await copyFolder('');
  await archive.addFile(`postgres/${CONTROL_FILE}`, join(cluster, CONTROL_FILE));
}

/** Skips a file whose table was dropped since the folder was listed: the WAL has the drop too. */
async function copyFile(archive: ArchiveWriter, name: string, path: string): Promise<void> {
  await archive.addFile(name, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function copyWal(
  archive: ArchiveWriter,
  cluster: string,
  range: { label: string; last: string },
): Promise<void> {
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(range.label)?.[1];
  const names = await readdir(join(cluster, 'pg_wal'));
  const needed = names.filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && first && name >= first && name <= range.last,
  );
  if (!first || !needed.includes(first) || !needed.includes(range.last)) {
    throw new BackupError('The database removed part of its log during the backup. Try again.');
  }
  for (const name of needed.toSorted()) {
    await archive.addFile(`postgres/pg_wal/${name}`, join(cluster, 'pg_wal', name));
  }
}

/** @param known notes already in the archive, by name; files whose note changed are added again. */
async function copyStoredFiles(
  archive: ArchiveWriter,
  folder: string,
  known: Map<string, string>,
): Promise<void> {
  for await (const file of listStoredFiles(folder)) {
    if (known.get(file.note) === file.text) continue;
    try {
      await archive.addFile(`storage/${file.content}`, join(folder, file.content));
    } catch (error) {
      // Removed or replaced in the meantime; the pass after the end finds its replacement.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      continue;
    }
    await archive.addText(`storage/${file.note}`, file.text);
    known.set(file.note, file.text);
  }
}

async function one<Row>(session: Database, question: RawBuilder<Row>): Promise<Row> {
  const { rows } = await question.execute(session);
  return rows[0] as Row;
}

/** Explains that the database stopped during the backup, which a stack trace wouldn't. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BackupError || 'syscall' in error) return error;
  const code = (error as { code?: string }).code ?? '';
  if (/^57P0|^08/.test(code) || /Connection terminated/.test(error.message)) {
    return new BackupError(
      'The database stopped during the backup, so there is no backup. Try again.',
    );
  }
  return error;
}
