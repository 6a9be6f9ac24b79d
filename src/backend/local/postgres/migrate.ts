import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { inProject } from '../project-root.ts';
import { bootstrap } from './bootstrap.ts';

const supabaseFolder = inProject('src/backend/supabase');
export const migrationsFolder = join(supabaseFolder, 'migrations');

/** The migrations that ran in this database aren't the ones in the folder. */
export class OtherEdition extends Error {
  override name = 'OtherEdition';
}

/** Release 0.1.0 squashed earlier migrations; `ledger` is the hash of a ledger with just those. */
const SQUASHED = {
  version: '20261123000950',
  ledger: '09df5d9fd1fbba0d8160850129cd454e6daedb1fdba87ad8d69ac25488dbe237',
};

interface LedgerRow {
  version: string;
  hash: string | null;
}

interface Migration {
  version: string;
  name: string;
  hash: string;
  text: string;
}

/**
 * Runs the migrations that this database hasn't had yet, each in one transaction with its row in
 * the ledger.
 * @returns the names of those that ran.
 * @throws {OtherEdition} if a migration that ran earlier was edited or removed, or a new one was
 * put before it.
 */
export async function migrate(db: Database, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  await adoptRelease(db, migrations);
  const ledger = await readLedger(db);
  const changed = firstDifference(migrations, ledger);
  if (changed) {
    throw new OtherEdition(
      `This database was made by another version of the project: migration ${changed} isn't the ` +
        'one that ran here.',
    );
  }

  const done = new Set(ledger.map((row) => row.version));
  const ran: string[] = [];
  for (const migration of migrations) {
    if (done.has(migration.version)) continue;
    await db.transaction().execute(async (transaction) => {
      await runFile(transaction, migration);
      await query(transaction)`
        insert into supabase_migrations.schema_migrations (version, name, statements, hash)
        values (${migration.version}, ${migration.name}, ${[migration.text]}, ${migration.hash})`;
    });
    ran.push(migration.name);
  }
  return ran;
}

async function readLedger(db: Database): Promise<LedgerRow[]> {
  const rows = await query<LedgerRow>(db)`
    select version, hash from supabase_migrations.schema_migrations order by version`;
  return rows;
}

/** If a database ran exactly the migrations that 0.1.0 squashed, records the squashed one. */
async function adoptRelease(db: Database, migrations: Migration[]): Promise<void> {
  const release = migrations.find(({ version }) => version === SQUASHED.version);
  const before = (await readLedger(db)).filter(({ version }) => version <= SQUASHED.version);
  const said = before.map(({ version, hash }) => `${version}:${hash}`).join('\n');
  if (!release || hashOf(said) !== SQUASHED.ledger) return;
  await db.transaction().execute(async (transaction) => {
    await query(transaction)`
      delete from supabase_migrations.schema_migrations where version < ${release.version}`;
    await query(transaction)`
      update supabase_migrations.schema_migrations
      set name = ${release.name}, statements = ${[release.text]}, hash = ${release.hash}
      where version = ${release.version}`;
  });
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function runFile(db: Database, migration: Migration): Promise<void> {
  try {
    await sql.raw(migration.text).execute(db);
  } catch (error) {
    const { message, position, where } = error as Error & { position?: string; where?: string };
    const line = position
      ? migration.text.slice(0, Number(position)).split('\n').length
      : undefined;
    const place = line ? `${migration.version}_${migration.name}.sql:${line}` : migration.name;
    throw new Error(`Migration ${place}: ${message}${where ? `\n${where}` : ''}`, { cause: error });
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(`${folder}/${file}`, 'utf8');
      const [, version = '', name = ''] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
      return { version, name, text, hash: hashOf(text) };
    }),
  );
}

/** The first migration in the ledger whose file has changed or isn't in the same position now. */
function firstDifference(
  migrations: Migration[],
  ledger: readonly LedgerRow[],
): string | undefined {
  for (const [place, row] of ledger.entries()) {
    const now = migrations[place];
    if (now?.version !== row.version || (row.hash !== null && now.hash !== row.hash)) {
      return row.version;
    }
  }
  return undefined;
}

/** Arbitrary number of the advisory lock that lets one process at a time prepare a database. */
const PREPARATION_LOCK = 4_913_001;

/**
 * Brings a database up to date; several processes can call it at the same time. Returns the names
 * of the migrations that ran.
 */
export async function prepareDatabase(
  databaseUrl: string,
  folder = migrationsFolder,
): Promise<string[]> {
  // One connection, because the lock belongs to its session and ends with it.
  const db = connect(databaseUrl, { max: 1 });
  try {
    await query(db)`select pg_advisory_lock(${PREPARATION_LOCK})`;
    await bootstrap(db);
    return await migrate(db, folder);
  } finally {
    await db.destroy();
  }
}

/** The files of schemas/ in the order of config.toml, each with its text. */
export async function readSchemas(): Promise<{ file: string; text: string }[]> {
  const config = await readFile(join(supabaseFolder, 'config.toml'), 'utf8');
  const list = /^schema_paths = \[\n(.*?)^\]/ms.exec(config)?.[1] ?? '';
  const files = [...list.matchAll(/^ {2}"\.\/(.+)",$/gm)].map(([, file = '']) => file);
  return Promise.all(
    files.map(async (file) => ({
      file,
      text: await readFile(join(supabaseFolder, file), 'utf8'),
    })),
  );
}

/** Sets up an empty database from schemas/ instead of the migrations, to compare the two. */
export async function applySchemas(db: Database): Promise<void> {
  await bootstrap(db);
  for (const { file, text } of await readSchemas()) {
    await sql
      .raw(text)
      .execute(db)
      .catch((error: Error) => {
        throw new Error(`${file}: ${error.message}`, { cause: error });
      });
  }
}
