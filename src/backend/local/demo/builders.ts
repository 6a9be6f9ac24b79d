import { createHash } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';

export interface BuiltPerson {
  id: string;
  email: string;
}

/** A quiz answer in the format of the procedures and the REST API. */
export interface BuiltAnswer {
  question_key: string;
  value: number | null;
  applies: boolean;
}

/** How confident an owner is in an area, 1 to 5. */
export interface BuiltConfidence {
  area_key: string;
  rating: number;
}

export interface BuiltQuiz {
  id: string;
  areas: { key: string }[];
  questions: { key: string; area_key: string; first_look: boolean }[];
}

/** Derives a UUID from words, so that demo data and tests can refer to what they created. */
export function idOf(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-4$3-${variant}$4-$5`);
}

/** A random number generator, from 0 up to 1, that repeats for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Creates an account as Auth does; the database's own trigger adds the profile and, if named, a
 * business.
 * @param person.passwordHash bcrypt; without it, nobody can sign in with a password.
 */
export async function createPerson(
  db: Database,
  person: {
    id?: string;
    email: string;
    fullName: string;
    businessName?: string;
    /** IANA, as the browser reports it. */
    timeZone?: string;
    passwordHash?: string;
    createdAt?: Date;
    confirmed?: boolean;
  },
): Promise<BuiltPerson> {
  const { email, fullName, businessName, timeZone, passwordHash } = person;
  const confirmed = person.confirmed ?? true;
  const id = person.id ?? idOf(`person ${email}`);
  const createdAt = person.createdAt ?? new Date();
  const identity = {
    sub: id,
    email,
    email_verified: confirmed,
    phone_verified: false,
    full_name: fullName,
    ...(businessName ? { business_name: businessName } : {}),
    ...(timeZone ? { time_zone: timeZone } : {}),
  };
  await query(db)`
    insert into auth.users (
      id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
      raw_user_meta_data, created_at, updated_at
    ) values (
      ${id}, 'authenticated', 'authenticated', ${email}, ${passwordHash ?? null},
      ${confirmed ? createdAt : null}, ${{ provider: 'email', providers: ['email'] }},
      ${identity}, ${createdAt}, ${createdAt}
    )`;
  await query(db)`
    insert into auth.identities (
      id, provider, provider_id, user_id, identity_data, created_at, updated_at
    ) values (
      ${idOf(`identity ${id}`)}, 'email', ${id}, ${id}, ${identity}, ${createdAt},
      ${createdAt}
    )`;
  return { id, email };
}

/** Runs `fn` inside the caller's transaction as this person, the way their requests run. */
export async function actAs<Result>(
  db: Database,
  person: BuiltPerson,
  fn: () => Promise<Result>,
): Promise<Result> {
  const claims = {
    sub: person.id,
    email: person.email,
    role: 'authenticated',
    aud: 'authenticated',
    aal: 'aal1',
  };
  await query(db)`select
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
    set_config('request.jwt.claim.sub', ${person.id}, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('role', 'authenticated', true)`;
  const result = await fn();
  await query(db)`select
    set_config('role', 'none', true),
    set_config('request.jwt.claims', '', true),
    set_config('request.jwt.claim.sub', '', true),
    set_config('request.jwt.claim.role', '', true)`;
  return result;
}

/** Like `query`, but runs the statement as this person. */
export const queryAs =
  (db: Database, person: BuiltPerson) =>
  (text: TemplateStringsArray, ...values: unknown[]) =>
    actAs(db, person, () => query(db)(text, ...values));

export async function publishedQuiz(db: Database): Promise<BuiltQuiz> {
  const row = await queryOne<{ quiz: BuiltQuiz | null }>(db)`select public.get_quiz() as quiz`;
  if (!row?.quiz) throw new Error('There is no published quiz. Load content/ first.');
  return row.quiz;
}

/** The first version of the quiz, which the oldest attempts were taken with. */
export async function firstQuiz(db: Database): Promise<BuiltQuiz> {
  const row = await queryOne<{ quiz: BuiltQuiz | null }>(db)`
    select private.quiz_version_json(id) as quiz from public.quiz_versions where number = 1`;
  if (!row?.quiz) throw new Error('There is no version 1 of the quiz. Load content/ first.');
  return row.quiz;
}

export async function answerAttempt(
  db: Database,
  attempt: { id: string; versionId: string },
  answers: BuiltAnswer[],
  confidences: BuiltConfidence[] = [],
): Promise<void> {
  await query(db)`
    insert into public.answers (attempt_id, version_id, question_key, value, applies, answered_at)
    select ${attempt.id}, ${attempt.versionId}, a.question_key, a.value, a.applies, now()
    from jsonb_to_recordset(${JSON.stringify(answers)}::text::jsonb)
      as a (question_key text, value smallint, applies boolean)
    on conflict (attempt_id, question_key) do update set
      value = excluded.value, applies = excluded.applies, answered_at = excluded.answered_at`;
  await query(db)`
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating, rated_at)
    select ${attempt.id}, ${attempt.versionId}, c.area_key, c.rating, now()
    from jsonb_to_recordset(${JSON.stringify(confidences)}::text::jsonb)
      as c (area_key text, rating smallint)
    on conflict (attempt_id, area_key) do update set
      rating = excluded.rating, rated_at = excluded.rated_at`;
}

/** How a business deviates from its level on each question; it's the same in every attempt. */
export type Habits = Map<string, { offset: number; applies: boolean }>;

/** Random deviations from a level; one question in forty doesn't apply. */
export function habitsFrom(questions: BuiltQuiz['questions'], random: () => number): Habits {
  return new Map(
    questions.map(({ key }) => [
      key,
      { offset: (random() - 0.5) * 1.6, applies: random() >= 0.025 },
    ]),
  );
}

/**
 * The answers an owner at these levels (0 to 4, by area) would give. Habits make attempts similar.
 */
export function plausibleAnswers(
  questions: BuiltQuiz['questions'],
  levels: Record<string, number>,
  habits: Habits,
): BuiltAnswer[] {
  return questions.map(({ key, area_key }) => {
    const habit = habits.get(key) ?? { offset: 0, applies: true };
    if (!habit.applies) return { question_key: key, value: null, applies: false };
    const value = Math.round((levels[area_key] ?? 2) + habit.offset);
    return { question_key: key, value: Math.min(4, Math.max(0, value)), applies: true };
  });
}

/** How confident someone at these levels is. `bias` is added by area; above 0 means overconfident. */
export function plausibleConfidences(
  areas: BuiltQuiz['areas'],
  levels: Record<string, number>,
  bias: Record<string, number>,
): BuiltConfidence[] {
  return areas.map(({ key }) => {
    const rating = Math.round(1 + (levels[key] ?? 2) + (bias[key] ?? 0));
    return { area_key: key, rating: Math.min(5, Math.max(1, rating)) };
  });
}
