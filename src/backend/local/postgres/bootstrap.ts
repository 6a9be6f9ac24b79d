import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { loadLite } from '../gateway/lite-package.ts';
import { inProject } from '../project-root.ts';

/** Key that marks a new database that no site has run on yet, so nobody can have written to it. */
export const NEVER_OPEN = 'never open';

/**
 * Brings a database to Supabase's state before the first migration: roles and grants, Auth and
 * Storage as @supabase/lite creates them, and what lite lacks. Does nothing if that's already done.
 * @throws if the connecting role can't create roles or the server is older than PostgreSQL 15.
 */
export async function bootstrap(db: Database): Promise<void> {
  const { getAuthSchemaSql, getStorageSchemaSql, SUPABASE_AUTH_HELPERS_SQL } = await loadLite();
  const parts = [
    await readFile(inProject('src/backend/local/postgres/bootstrap-roles.sql'), 'utf8'),
    SUPABASE_AUTH_HELPERS_SQL,
    getAuthSchemaSql(),
    getStorageSchemaSql(),
    await readFile(inProject('src/backend/local/postgres/bootstrap.sql'), 'utf8'),
  ];
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex');
  const before = await recall(db, 'bootstrap');
  if (before === hash) return;

  const server = await queryOne<{ version: number }>(db)`
    select current_setting('server_version_num')::int as version`;
  if (Number(server?.version) < 150_000) {
    throw new Error('DATABASE_URL must lead to PostgreSQL 15 or newer.');
  }
  await db.transaction().execute(async (transaction) => {
    for (const part of parts) await sql.raw(part).execute(transaction);
    await remember(transaction, 'bootstrap', hash);
    if (before === undefined) await remember(transaction, NEVER_OPEN, new Date().toISOString());
  });
}

/** The value that the embedded stack stored under this key, or undefined. */
export async function recall(db: Database, key: string): Promise<string | undefined> {
  const table = await queryOne<{ found: boolean }>(db)`
    select to_regclass('supabase_migrations.local_state') is not null as found`;
  if (!table?.found) return undefined;
  const rows = await query<{ value: string }>(db)`
    select value from supabase_migrations.local_state where key = ${key}`;
  return rows[0]?.value;
}

export async function remember(db: Database, key: string, value: string): Promise<void> {
  await query(db)`
    insert into supabase_migrations.local_state (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value, changed_at = now()`;
}

export async function forget(db: Database, key: string): Promise<void> {
  await query(db)`delete from supabase_migrations.local_state where key = ${key}`;
}
