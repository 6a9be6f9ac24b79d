import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import type { AuthenticationMethod } from './tokens.ts';

export interface UserRow {
  id: string;
  email: string;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  raw_app_meta_data: Record<string, unknown>;
  raw_user_meta_data: Record<string, unknown>;
  banned_until: Date | null;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface IdentityRow {
  id: string;
  user_id: string;
  provider: string;
  provider_id: string;
  identity_data: Record<string, unknown>;
  email: string | null;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** What an emailed link or code is for. */
export type TokenKind =
  | 'signup'
  | 'email'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new';

/** The data of an unconfirmed registration. */
export interface Registration {
  encryptedPassword: string;
  registrant: string;
  metadata: Record<string, unknown>;
}

export interface OneTimeToken {
  id: string;
  user_id: string;
  kind: TokenKind;
  email: string;
  /** User metadata of the registration this link confirms; null for every other link and code. */
  metadata: Record<string, unknown> | null;
  registrations: Registration[];
  expired: boolean;
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return queryOne<UserRow>(db)`
    select * from auth.users where email = ${email} and is_sso_user = false and deleted_at is null`;
}

/** Finds a user by ID. With `lock`, no one else can change the row until the transaction ends. */
export async function findUser(
  db: Database,
  id: string,
  lock = false,
): Promise<UserRow | undefined> {
  return queryOne<UserRow>(db)`
    select * from auth.users where id = ${id} and deleted_at is null ${lock ? sql`for update` : sql``}
  `;
}

export async function listIdentities(db: Database, userId: string): Promise<IdentityRow[]> {
  return query<IdentityRow>(db)`
    select * from auth.identities where user_id = ${userId} order by created_at`;
}

/** Creates an unconfirmed account without a password; undefined if the address already has one. */
export async function createUser(
  db: Database,
  input: { email: string; data: Record<string, unknown> },
): Promise<UserRow | undefined> {
  const id = randomUUID();
  const facts = { sub: id, email: input.email, email_verified: false, phone_verified: false };
  const metadata = { ...input.data, ...facts };
  const user = await queryOne<UserRow>(db)`
    insert into auth.users (
      id, aud, role, email, raw_app_meta_data, raw_user_meta_data
    ) values (
      ${id}, 'authenticated', 'authenticated', ${input.email},
      ${JSON.stringify({ provider: 'email', providers: ['email'] })}, ${JSON.stringify(metadata)}
    )
    on conflict (email) where is_sso_user = false do nothing
    returning *
  `;
  if (!user) return undefined;
  await query(db)`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    values (${randomUUID()}, 'email', ${id}, ${id}, ${JSON.stringify(metadata)})`;
  return user;
}

export async function updateUser(
  db: Database,
  id: string,
  changes: Partial<Omit<UserRow, 'id' | 'raw_app_meta_data' | 'created_at' | 'updated_at'>>,
): Promise<UserRow> {
  const { raw_user_meta_data: data, ...columns } = changes;
  const values = {
    ...columns,
    ...(data ? { raw_user_meta_data: JSON.stringify(data) } : {}),
    updated_at: new Date(),
  };
  const set = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const user = await queryOne<UserRow>(db)`
    update auth.users set ${sql.join(set)} where id = ${id} returning *`;
  if (!user) throw new Error(`Account ${id} is gone.`);
  return user;
}

/** Marks the address as verified in the user's identity too. */
export async function confirmIdentity(db: Database, userId: string, email: string): Promise<void> {
  await query(db)`
    update auth.identities
    set identity_data = identity_data || ${JSON.stringify({ email, email_verified: true })}::jsonb,
      updated_at = now()
    where user_id = ${userId} and provider = 'email'
  `;
}

export async function createSession(
  db: Database,
  input: {
    userId: string;
    method: AuthenticationMethod['method'];
    userAgent: string | null;
    ip: string | null;
  },
): Promise<{ sessionId: string; refreshToken: string }> {
  const sessionId = randomUUID();
  await query(db)`
    insert into auth.sessions (id, user_id, aal, user_agent, ip)
    values (${sessionId}, ${input.userId}, 'aal1', ${input.userAgent}, ${input.ip})`;
  await query(db)`
    insert into auth.mfa_amr_claims (session_id, authentication_method)
    values (${sessionId}, ${input.method})`;
  const refreshToken = await createRefreshToken(db, input.userId, sessionId, null);
  await query(db)`update auth.users set last_sign_in_at = now() where id = ${input.userId}`;
  return { sessionId, refreshToken };
}

export async function createRefreshToken(
  db: Database,
  userId: string,
  sessionId: string,
  parent: string | null,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await query(db)`
    insert into auth.refresh_tokens (id, token, user_id, session_id, parent)
    values (${randomUUID()}, ${token}, ${userId}, ${sessionId}, ${parent})`;
  return token;
}

/** The user, assurance level and authentication methods of a session; null if it has ended. */
export async function findSession(
  db: Database,
  sessionId: string,
): Promise<{ user_id: string; aal: 'aal1' | 'aal2'; amr: AuthenticationMethod[] } | null> {
  const row = await queryOne<{
    user_id: string;
    aal: 'aal1' | 'aal2' | null;
    amr: AuthenticationMethod[];
  }>(db)`
    select s.user_id, s.aal, coalesce(
      jsonb_agg(jsonb_build_object(
        'method', c.authentication_method, 'timestamp', floor(extract(epoch from c.updated_at))::bigint
      ) order by c.updated_at desc) filter (where c.id is not null), '[]') as amr
    from auth.sessions s left join auth.mfa_amr_claims c on c.session_id = s.id
    where s.id = ${sessionId} and (s.not_after is null or s.not_after > now())
    group by s.id`;
  return row ? { ...row, aal: row.aal ?? 'aal1' } : null;
}

/** Ends a user's sessions: one, all but one, or all. Their refresh tokens are deleted with them. */
export async function deleteSessions(
  db: Database,
  userId: string,
  which: { only?: string; except?: string } = {},
): Promise<void> {
  await query(db)`
    delete from auth.sessions
    where user_id = ${userId}
      ${which.only ? sql`and id = ${which.only}` : sql``}
      ${which.except ? sql`and id <> ${which.except}` : sql``}
  `;
}

export function linkHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Hashes a code with a pepper, because anyone with the table could quickly try a million codes. */
export function codeHash(pepper: string, kind: TokenKind, email: string, code: string): string {
  return createHmac('sha256', pepper).update(`${kind}\n${email}\n${code}`).digest('hex');
}

/** Stores an emailed link or code for `seconds`; deletes those that expired more than a day ago. */
export async function storeToken(
  db: Database,
  token: {
    userId: string;
    kind: TokenKind;
    hash: string;
    email: string;
    seconds: number;
    registration?: Registration | undefined;
    metadata?: Record<string, unknown> | undefined;
    /** How many guesses a code allows; links can't be guessed. */
    tries?: number;
  },
): Promise<void> {
  const { registration, metadata = registration?.metadata } = token;
  await query(db)`delete from auth.one_time_tokens where expires_at < now() - interval '1 day'`;
  await query(db)`
    insert into auth.one_time_tokens (
      user_id, kind, token_hash, email, encrypted_password, registrant, metadata, tries_left,
      expires_at
    ) values (
      ${token.userId}, ${token.kind}, ${token.hash}, ${token.email},
      ${registration?.encryptedPassword ?? null}, ${registration?.registrant ?? null},
      ${metadata ? JSON.stringify(metadata) : null}, ${token.tries ?? null},
      now() + make_interval(secs => ${token.seconds})
    )
    on conflict (token_hash) do update
    set expires_at = excluded.expires_at, tries_left = excluded.tries_left`;
}

/** An unconfirmed address's registrations, newest first, until a day after their links expire. */
export async function listRegistrations(db: Database, userId: string): Promise<Registration[]> {
  return query<Registration>(db)`
    select encrypted_password as "encryptedPassword", registrant, metadata
    from auth.one_time_tokens
    where user_id = ${userId} and registrant is not null
    order by created_at desc`;
}

/** Counts an attempt on each code emailed to an address. Returns the hashes of the usable ones. */
export async function countTry(db: Database, email: string, kinds: TokenKind[]): Promise<string[]> {
  const rows = await query<{ token_hash: string }>(db)`
    update auth.one_time_tokens set tries_left = tries_left - 1
    where email = ${email} and kind = any(${kinds}) and tries_left > 0 returning token_hash`;
  return rows.map((row) => row.token_hash);
}

/** Deletes and returns a link or code, so that it works only once; undefined if there isn't one. */
export async function takeToken(
  db: Database,
  hashes: string[],
  kinds: TokenKind[],
): Promise<OneTimeToken | undefined> {
  // The subquery sees the table as it was before the delete, so it includes the deleted row.
  return queryOne<OneTimeToken>(db)`
    with taken as (
      delete from auth.one_time_tokens
      where token_hash = any(${hashes}) and kind = any(${kinds})
      returning *
    )
    select id, user_id, kind, email, metadata, expires_at <= now() as expired, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'encryptedPassword', r.encrypted_password, 'registrant', r.registrant, 'metadata', r.metadata
      ) order by r.created_at desc), '[]')
      from auth.one_time_tokens r where r.user_id = taken.user_id and r.registrant is not null
    ) as registrations
    from taken`;
}

export async function dropTokens(db: Database, userId: string, kinds: TokenKind[]): Promise<void> {
  await query(db)`
    delete from auth.one_time_tokens where user_id = ${userId} and kind = any(${kinds})`;
}
