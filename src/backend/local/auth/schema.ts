import { sql } from 'kysely';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';

/**
 * What Auth needs beyond lite's `auth` schema. On Supabase these tables exist (there with more
 * columns) and belong to its own Auth server; no API role may read either.
 *
 * - `one_time_tokens`: links and codes that were mailed, as hashes; each is good once, and a code
 *   ends after some wrong tries (`tries_left`, null for a link). The link of a registration also holds
 *   what was given with it, until the address is confirmed.
 * - `mfa_amr_claims`: how a session was proved, the `amr` claim of its tokens.
 */
const AUTH_TABLES = `
  create table if not exists auth.one_time_tokens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users (id) on delete cascade,
    kind text not null check (kind in ('signup', 'email', 'recovery', 'email_change_current', 'email_change_new')),
    token_hash text not null unique,
    email text not null,
    encrypted_password text,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  alter table auth.one_time_tokens
    add column if not exists registrant text,
    add column if not exists metadata jsonb,
    add column if not exists tries_left int;
  create index if not exists one_time_tokens_user_id_idx on auth.one_time_tokens (user_id, kind);

  create index if not exists one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);

  create table if not exists auth.mfa_amr_claims (
    id uuid primary key default gen_random_uuid(),
    session_id uuid not null references auth.sessions (id) on delete cascade,
    authentication_method text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (session_id, authentication_method)
  );

  create index if not exists refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
  revoke all on all tables in schema auth from anon, authenticated;
`;

/** Any number that no other advisory lock of this project uses. */
const LOCK = 7_215_004;

/** Makes the tables where they are missing; safe in several processes at once, and again. */
export async function ensureAuthTables(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    await sql.raw(AUTH_TABLES).execute(tx);
  });
}
