import { type BuiltPerson, idOf, queryAs } from '#backend/local/demo/builders.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import {
  connect,
  type Database,
  query,
  queryOne,
} from '#backend/supabase/functions/_shared/connection.ts';

/** The owners with a seat in the demo's program, and how many sessions each has had by the time of the picture. */
const SEATS: readonly (readonly [email: string, sessions: number])[] = [
  ['owner2@demo.test', 3],
  ['grace@demo.test', 4],
  ['june@demo.test', 2],
  ['omar@demo.test', 3],
  ['sam@demo.test', 1],
];
const COACH = 'coach2@demo.test';
const HOUR = 3_600_000;

/**
 * Lets the demo's sponsored businesses ask for a coach and have sessions, with the procedures that
 * their people would use, since a program that has just begun has no totals to photograph.
 * @param dataDir the folder of a running site with fresh demo data; it's changed for good
 */
export async function rehearse(dataDir: string): Promise<void> {
  const url = await findRunningPostgres(dataDir);
  if (!url) throw new Error(`No database runs in ${dataDir}.`);
  const db = connect(url, { max: 1 });
  try {
    // Who acts is a setting of the transaction.
    await db.transaction().execute(async (transaction) => {
      for (const [owner, sessions] of SEATS) await coachOwner(transaction, owner, sessions);
      // As if this were the first night: later ones hold back what would tell of a single business.
      await query(transaction)`delete from private.program_readings`;
      await query(transaction)`delete from private.program_groups`;
      await query(transaction)`select private.read_programs()`;
    });
  } finally {
    await db.destroy();
  }
}

async function personWith(db: Database, email: string): Promise<BuiltPerson> {
  const person = await queryOne<BuiltPerson>(db)`
    select id, email from auth.users where email = ${email}`;
  if (!person) throw new Error(`The demo has no ${email}.`);
  return person;
}

async function coachOwner(db: Database, email: string, sessions: number): Promise<void> {
  const owner = await personWith(db, email);
  const [admin, coach] = [await personWith(db, 'admin@demo.test'), await personWith(db, COACH)];
  const asked = await queryOne<{ id: string }>(db)`
    select id from public.engagements where owner_id = ${owner.id} and closed_at is null`;
  const id = asked?.id ?? idOf(`rehearsal ${email}`);
  if (!asked) {
    const seat = await queryOne<{ business: string }>(db)`
      select business_id as business from public.seats where owner_id = ${owner.id}`;
    await queryAs(db, owner)`
      select public.request_coaching(
        ${id}, ${seat?.business}, 'A second look at next year.', ${['business-planning']}, true)`;
  }
  await queryAs(db, admin)`select public.assign_coach(${id}, ${coach.id}, 'Has room.')`;
  await queryAs(db, coach)`select public.accept_client(${id})`;
  for (let place = sessions; place > 0; place -= 1) {
    const held = {
      starts_at: new Date(Date.now() - 2 * place * HOUR).toISOString(),
      time_zone: 'America/Denver',
      outcome: 'completed',
      minutes: 60,
      kind: 'online',
      topics: ['business-planning'],
      summary: 'What the year should bring, and the first step.',
      actions: [],
    };
    await queryAs(db, coach)`
      select public.close_session(
        ${idOf(`rehearsal ${email} ${place}`)}, ${id}, ${JSON.stringify(held)}::jsonb)`;
  }
}
