import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';

/** The folder of the product's migrations, the same that go to Supabase. */
export const migrationsFolder = fileURLToPath(
  new URL('../../supabase/migrations', import.meta.url),
);

/** The migrations that ran in this database are not the ones in the folder. */
export class OtherEdition extends Error {
  override name = 'OtherEdition';
}

interface Migration {
  version: string;
  name: string;
  hash: string;
  text: string;
}

/**
 * Runs the migrations that this database has not seen, in the order of their file names, each in a
 * transaction of its own together with its line in the ledger.
 *
 * @returns the names of those that ran.
 * @throws {OtherEdition} when a migration that ran before was edited, removed or put in between.
 */
export async function migrate(db: Database, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const { rows: ledger } = await sql<{ version: string; hash: string | null }>`
    select version, hash from supabase_migrations.schema_migrations order by version`.execute(db);
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
      await sql`
        insert into supabase_migrations.schema_migrations (version, name, statements, hash)
        values (${migration.version}, ${migration.name}, ${[migration.text]}, ${migration.hash})`.execute(
        transaction,
      );
    });
    ran.push(migration.name);
  }
  return ran;
}

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
      return { version, name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** The first migration of the ledger that is not the same file at the same place now. */
function firstDifference(
  migrations: Migration[],
  ledger: readonly { version: string; hash: string | null }[],
): string | undefined {
  for (const [place, row] of ledger.entries()) {
    const now = migrations[place];
    if (now?.version !== row.version || (row.hash !== null && now.hash !== row.hash)) {
      return row.version;
    }
  }
  return undefined;
}
