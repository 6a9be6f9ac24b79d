import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';
import type { Db } from './connection.ts';
import { loadLite } from './lite-package.ts';

/**
 * Brings a database to the state that Supabase gives before the first migration: the API roles with
 * their grants, Auth and Storage as @supabase/lite makes them, and what lite lacks (second factors,
 * Realtime's messages, extensions). One transaction, and nothing at all when it was done before.
 *
 * @throws when the connecting role may not make roles or the server is older than PostgreSQL 15.
 */
export async function bootstrap(sql: Sql): Promise<void> {
  const { getAuthSchemaSql, getStorageSchemaSql, SUPABASE_AUTH_HELPERS_SQL } = await loadLite();
  const parts = [
    await readFile(new URL('./bootstrap-roles.sql', import.meta.url), 'utf8'),
    SUPABASE_AUTH_HELPERS_SQL,
    getAuthSchemaSql(),
    getStorageSchemaSql(),
    await readFile(new URL('./bootstrap.sql', import.meta.url), 'utf8'),
  ];
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex');
  if ((await recall(sql, 'bootstrap')) === hash) return;

  const [server] = await sql`select current_setting('server_version_num')::int as version`;
  if (server?.version < 150_000) {
    throw new Error('DATABASE_URL must lead to PostgreSQL 15 or newer.');
  }
  await sql.begin(async (transaction) => {
    for (const part of parts) await transaction.unsafe(part);
    await remember(transaction, 'bootstrap', hash);
  });
}

/** What the embedded stack noted under this key, or undefined. */
export async function recall(sql: Db, key: string): Promise<string | undefined> {
  const [table] = await sql`select to_regclass('supabase_migrations.local_state') as found`;
  if (!table?.found) return undefined;
  const [row] = await sql`select value from supabase_migrations.local_state where key = ${key}`;
  return row?.value;
}

/** Notes a value under this key, in the caller's transaction. */
export async function remember(sql: Db, key: string, value: string): Promise<void> {
  await sql`
    insert into supabase_migrations.local_state (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value, changed_at = now()`;
}
