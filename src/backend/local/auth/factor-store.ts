import { randomUUID } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';

export interface FactorRow {
  id: string;
  user_id: string;
  friendly_name: string | null;
  factor_type: 'totp';
  status: 'unverified' | 'verified';
  secret: string;
  created_at: Date;
  updated_at: Date;
}

/** How long a challenge waits for its code, in seconds; Supabase's default. */
const CHALLENGE_SECONDS = 300;

export async function listFactors(db: Database, userId: string): Promise<FactorRow[]> {
  return query<FactorRow>(db)`
    select * from auth.mfa_factors where user_id = ${userId} and factor_type = 'totp'
    order by created_at`;
}

/** A factor of this person, or undefined: someone else's doesn't exist. */
export async function findFactor(
  db: Database,
  userId: string,
  id: string,
): Promise<FactorRow | undefined> {
  return queryOne<FactorRow>(db)`
    select * from auth.mfa_factors where id = ${id} and user_id = ${userId} and factor_type = 'totp'`;
}

/** Stores a factor that has yet to prove itself; earlier ones that never did are forgotten. */
export async function createFactor(
  db: Database,
  factor: { userId: string; name: string | null; secret: string },
): Promise<FactorRow> {
  await query(db)`
    delete from auth.mfa_factors where user_id = ${factor.userId} and status = 'unverified'`;
  const row = await queryOne<FactorRow>(db)`
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
    values (${randomUUID()}, ${factor.userId}, ${factor.name}, 'totp', 'unverified', ${factor.secret})
    returning *`;
  if (!row) throw new Error('The factor was not stored.');
  return row;
}

export async function deleteFactor(db: Database, id: string): Promise<void> {
  await query(db)`delete from auth.mfa_factors where id = ${id}`;
}

/** Opens a challenge and gives its id and end (seconds since 1970). */
export async function createChallenge(
  db: Database,
  factorId: string,
  address: string | null,
): Promise<{ id: string; expiresAt: number }> {
  const id = randomUUID();
  await query(db)`
    delete from auth.mfa_challenges
    where factor_id = ${factorId} and created_at < now() - make_interval(secs => ${CHALLENGE_SECONDS})`;
  await query(db)`
    insert into auth.mfa_challenges (id, factor_id, ip_address)
    values (${id}, ${factorId}, ${address ?? '0.0.0.0'})`;
  return { id, expiresAt: Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS };
}

/** Marks a challenge as answered; false when it is unknown, too old or was answered before. */
export async function answerChallenge(
  db: Database,
  id: string,
  factorId: string,
): Promise<boolean> {
  const rows = await query(db)`
    update auth.mfa_challenges set verified_at = now()
    where id = ${id} and factor_id = ${factorId} and verified_at is null
      and created_at > now() - make_interval(secs => ${CHALLENGE_SECONDS})
    returning id`;
  return rows.length > 0;
}

/** Raises a session to the second level and says by what it was proved. */
export async function raiseSession(
  db: Database,
  sessionId: string,
  factorId: string,
): Promise<void> {
  await query(db)`
    update auth.mfa_factors set status = 'verified', updated_at = now() where id = ${factorId}`;
  await query(db)`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = now()
    where id = ${sessionId}`;
  await query(db)`
    insert into auth.mfa_amr_claims (session_id, authentication_method) values (${sessionId}, 'totp')
    on conflict (session_id, authentication_method) do update set updated_at = now()`;
}

/** Takes the second level from every session that had it by this factor. */
export async function lowerSessions(db: Database, factorId: string): Promise<void> {
  await query(db)`
    delete from auth.mfa_amr_claims
    where authentication_method = 'totp'
      and session_id in (select id from auth.sessions where factor_id = ${factorId})`;
  await query(db)`
    update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
    where factor_id = ${factorId}`;
}
