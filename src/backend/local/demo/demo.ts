import { sql } from 'kysely';
import { connect, type Database } from '#backend/supabase/functions/_shared/connection.ts';
import { hashPassword } from '../auth/passwords.ts';
import { NEVER_OPEN, recall, remember } from '../postgres/bootstrap.ts';
import { DEMO_NOTE } from '../postgres/old-database.ts';
import {
  actAs,
  answerAttempt,
  type BuiltPerson,
  type BuiltQuiz,
  createPerson,
  habitsFrom,
  idOf,
  plausibleAnswers,
  plausibleConfidences,
  publishedQuiz,
  randomFrom,
} from './builders.ts';
import { BAKERY, furnishBakery } from './businesses.ts';
import { furnishMessages } from './messages.ts';
import {
  type DemoBusiness,
  demoMember,
  demoOwners,
  demoRequests,
  demoStaff,
  type Newcomer,
} from './people.ts';
import { furnishProjects } from './projects.ts';
import { furnishSkills } from './skills.ts';

/** The password of the five demo accounts; everybody else in the demo has none. */
export const demoPassword = 'demo-Passw0rd!';

/** Who can sign in; the others are there to be seen. */
const accounts = [
  'owner@demo.test',
  'owner2@demo.test',
  'coach@demo.test',
  'coach2@demo.test',
  'admin@demo.test',
];

/** Any number: it makes the same answers at every first start. */
const seedOfTheDemo = 20_261_120;

/** Tables whose dates are moved back; their triggers would refuse, and rightly. */
const datedTables = [
  'profiles',
  'businesses',
  'business_members',
  'business_snapshots',
  'attempts',
  'answers',
  'attempt_confidences',
  'engagements',
  'engagement_events',
  'projects',
  'project_tasks',
  'project_events',
  'project_updates',
  'focus_areas',
  'focus_actions',
];

/**
 * Fills a database that has no people yet with the demo's, in one transaction: either all of it is
 * there or nothing. Everything goes through the product's own procedures, as the person who would
 * have done it; only the dates are moved back afterwards.
 *
 * @returns whether there was anything to do.
 */
export async function seedDemo(databaseUrl: string): Promise<boolean> {
  const db = connect(databaseUrl, { max: 1 });
  try {
    const {
      rows: [people],
    } = await sql<{ found: boolean }>`select exists (select from auth.users) as found`.execute(db);
    if (people?.found) return false;
    const passwordHash = await hashPassword(demoPassword);
    return await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(4913004)`.execute(tx);
      const {
        rows: [now],
      } = await sql<{ found: boolean }>`select exists (select from auth.users) as found`.execute(
        tx,
      );
      if (now?.found) return false;
      await makeDemo(tx, passwordHash);
      // What a visitor wrote before would count as a part of the demo.
      if ((await recall(tx, NEVER_OPEN)) !== undefined) {
        // In a savepoint it gets a number of its own, higher than that of any row before it.
        await sql`savepoint note`.execute(tx);
        await remember(tx, DEMO_NOTE, new Date().toISOString());
      }
      return true;
    });
  } finally {
    await db.destroy();
  }
}

/** Whether one of the accounts whose password everyone knows can sign in. */
export async function hasDemoAccounts(databaseUrl: string): Promise<boolean> {
  const db = connect(databaseUrl, { max: 1 });
  try {
    const {
      rows: [row],
    } = await sql<{ found: boolean }>`
      select exists (select from auth.users where email = any(${accounts})) as found`.execute(db);
    return row?.found === true;
  } finally {
    await db.destroy();
  }
}

async function makeDemo(db: Database, passwordHash: string): Promise<void> {
  const quiz = await publishedQuiz(db);
  const random = randomFrom(seedOfTheDemo);
  const people = new Map<string, BuiltPerson>();
  const dates: Moved[] = [];
  const create = async (who: Newcomer) => {
    const person = await createPerson(db, {
      email: who.email,
      fullName: who.fullName,
      timeZone: who.timeZone,
      createdAt: daysAgo(who.daysAgo),
      ...(accounts.includes(who.email) ? { passwordHash } : {}),
    });
    people.set(who.email, person);
    return person;
  };

  for (const member of demoStaff) {
    const { id } = await create(member);
    await sql`insert into public.staff_roles (user_id, role) values (${id}, ${member.role})`.execute(
      db,
    );
  }
  for (const owner of demoOwners) {
    const person = await create(owner);
    for (const business of owner.businesses) {
      dates.push(...(await makeBusiness(db, { person, business, quiz, random })));
    }
  }
  for (const request of demoRequests) {
    dates.push(await makeEngagement(db, request, people));
  }
  const owner = known(people, 'owner@demo.test');
  const member = await create(demoMember);
  dates.push(await furnishBakery(db, { owner, member }, (age) => isoDay(daysAgo(age))));
  const coach = known(people, 'coach@demo.test');
  const isoDaysAgo = (age: number) => isoDay(daysAgo(age));
  dates.push(await furnishProjects(db, { owner, coach }, isoDaysAgo, daysAgo));
  dates.push(...(await furnishSkills(db, { owner, quiz, random })));
  const admin = known(people, 'admin@demo.test');
  const client = known(people, 'nadia@demo.test');
  const owner2 = known(people, 'owner2@demo.test');
  dates.push(await furnishMessages(db, { owner, member, coach, admin, client, owner2 }));
  await moveBack(db, dates);
  // What has been left alone for too long expires the way it always does.
  await sql`update public.schedule_jobs set next_run_at = now()`.execute(db);
  await sql`select private.tick()`.execute(db);
  // Nobody reads mail at these addresses.
  await sql`delete from public.mail_outbox where to_address like '%@demo.test'`.execute(db);
  // What they did over months was written in a second: it doesn't count for today.
  await sql`delete from public.rate_limits`.execute(db);
}

/** A change of dates, to be made when everything is there. */
type Moved = (db: Database) => Promise<unknown>;

async function makeBusiness(
  db: Database,
  parts: {
    person: BuiltPerson;
    business: DemoBusiness;
    quiz: BuiltQuiz;
    random: () => number;
  },
): Promise<Moved[]> {
  const { person, business, quiz, random } = parts;
  const id = idOf(`business ${business.name}`);
  await actAs(db, person, async () => {
    await sql`select public.create_business(
      ${id}, ${business.name}, ${business.trading}, ${business.postalCode}, ${business.helpWanted})`.execute(
      db,
    );
    const facts = {
      city: business.city,
      region: business.region,
      country: 'US',
      industry: business.industry,
      stage: business.stage,
      home_based: business.homeBased ? 'yes' : 'no',
      description: business.description,
      start_date: business.years ? isoDay(daysAgo(business.years * 365.25)) : '',
    };
    for (const [field, value] of Object.entries(facts)) {
      await sql`select public.save_business_fact(${id}, ${field}, ${value}, array[''])`.execute(db);
    }
    await makeSnapshots(db, id, business, random);
  });
  const began = daysAgo(Math.max(...business.history.map((step) => step.daysAgo)) + 1);
  const moved: Moved[] = [
    (tx) =>
      sql`
      update public.businesses set created_at = ${began}, updated_at = ${began} where id = ${id}`.execute(
        tx,
      ),
    (tx) =>
      sql`update public.business_members set joined_at = ${began} where business_id = ${id}`.execute(
        tx,
      ),
    (tx) =>
      sql`
      update public.business_snapshots set created_at = greatest(taken_on, ${began}::timestamptz)
      where business_id = ${id}`.execute(tx),
  ];

  const habits = habitsFrom(quiz.questions, random);
  let levels = business.levels;
  for (const [index, step] of business.history.entries()) {
    if (step.kind === 'full' && step.better) {
      const { better } = step;
      levels = Object.fromEntries(
        Object.entries(levels).map(([area, level]) => [
          area,
          Math.min(3.9, level + (better[area] ?? (random() - 0.3) * 0.15)),
        ]),
      );
    }
    const attempt = { id: idOf(`attempt ${business.name} ${index}`), versionId: quiz.id };
    const all = plausibleAnswers(quiz.questions, levels, habits);
    const confidences = plausibleConfidences(quiz.areas, levels, business.bias ?? {});
    const made = await actAs(db, person, () =>
      takeStep(db, { step, attempt, businessId: id, all, confidences, quiz }),
    );
    moved.push(datedAttempt(made.id, daysAgo(step.daysAgo), step.kind === 'first-look' ? 4 : 23));
    if (made.open) moved.push(datedAttempt(made.open, daysAgo(step.daysAgo), 4));
  }
  return moved;
}

/** Takes one step of a history as the owner; gives the attempt and one that it left open. */
async function takeStep(
  db: Database,
  parts: {
    step: DemoBusiness['history'][number];
    attempt: { id: string; versionId: string };
    businessId: string;
    all: ReturnType<typeof plausibleAnswers>;
    confidences: ReturnType<typeof plausibleConfidences>;
    quiz: BuiltQuiz;
  },
): Promise<{ id: string; open?: string }> {
  const { step, attempt, businessId, all, confidences, quiz } = parts;
  if (step.kind === 'first-look') {
    const asked = new Set(quiz.questions.filter((one) => one.first_look).map((one) => one.key));
    const answers = all
      .filter((answer) => asked.has(answer.question_key))
      .map((answer) => ({ ...answer, answered_at: new Date().toISOString() }));
    const {
      rows: [row],
    } = await sql<{
      made: { first_look_id: string; attempt_id?: string };
    }>`select public.adopt_answers(
      ${attempt.id}, ${attempt.versionId}, 'first_look', ${businessId},
      ${JSON.stringify(answers)}, '[]') as made`.execute(db);
    return { id: row?.made.first_look_id as string, open: row?.made.attempt_id };
  }

  const {
    rows: [row],
  } = await sql<{ made: { id: string } }>`
    select public.start_attempt(${attempt.id}, ${attempt.versionId}, ${businessId}) as made`.execute(
    db,
  );
  const started = { id: row?.made.id as string, versionId: attempt.versionId };
  if (step.kind === 'open') {
    const answers = all.slice(0, step.answered);
    const done = quiz.areas.slice(0, Math.floor(step.answered / 4)).map((area) => area.key);
    const rated = confidences.filter(({ area_key }) => done.includes(area_key));
    await answerAttempt(db, started, answers, rated);
  } else {
    await answerAttempt(db, started, all, confidences);
    await sql`select public.finish_attempt(${started.id})`.execute(db);
  }
  return { id: started.id };
}

/** Figures twice a year for two years, growing into those of today; a new business has fewer. */
async function makeSnapshots(
  db: Database,
  businessId: string,
  business: DemoBusiness,
  random: () => number,
): Promise<void> {
  const { revenue, margin = 0, people, years = 0 } = business;
  if (!revenue || !people) return;
  // The bakery has those of each month of the last year (demo-businesses.ts).
  const ages = businessId === BAKERY ? [730, 547, 12] : [730, 547, 365, 182, 12];
  for (const age of ages.filter((days) => days < years * 365)) {
    const share = (1 - (age / 365) * 0.11) * (0.97 + random() * 0.06);
    const taken = Math.round((revenue * share) / 100) * 100;
    const profit = Math.round((taken * (margin + (random() - 0.5) * 0.03)) / 100) * 100;
    await sql`select public.add_snapshot(
      ${idOf(`snapshot ${businessId} ${age}`)}, ${businessId}, ${isoDay(daysAgo(age))},
      ${Math.max(1, Math.round(people.full * share))}, ${Math.round(people.part * share)},
      ${taken * 100}, ${profit * 100}, 'USD')`.execute(db);
  }
}

async function makeEngagement(
  db: Database,
  request: (typeof demoRequests)[number],
  people: Map<string, BuiltPerson>,
): Promise<Moved> {
  const owner = known(people, request.owner);
  const business = demoOwners.find((one) => one.email === request.owner)?.businesses[0];
  const id = idOf(`engagement ${request.owner}`);
  await actAs(db, owner, () =>
    sql`select public.request_coaching(
      ${id}, ${idOf(`business ${business?.name}`)}, ${request.note}, ${[...request.areas]},
      ${request.shared})`.execute(db),
  );
  const { coach } = request;
  if (coach) {
    await actAs(db, known(people, 'admin@demo.test'), () =>
      sql`select public.assign_coach(
        ${id}, ${known(people, coach).id}, ${'Has worked with businesses like this one.'})`.execute(
        db,
      ),
    );
  }
  const requested = daysAgo(request.daysAgo);
  return async (tx) => {
    await sql`
      update public.engagements set requested_at = ${requested}, updated_at = ${requested}
      where id = ${id}`.execute(tx);
    await sql`
      update public.engagement_events set at = ${requested}
      where engagement_id = ${id} and to_state = 'requested'`.execute(tx);
    let before = 'requested';
    for (const [state, age] of request.steps) {
      const at = daysAgo(age);
      if (state === 'assigned') {
        await sql`update public.engagements set assigned_at = ${at} where id = ${id}`.execute(tx);
        await sql`
          update public.engagement_events set at = ${at}
          where engagement_id = ${id} and to_state = 'assigned'`.execute(tx);
      } else {
        // These steps have no procedure yet, so they are written here.
        await sql`
          insert into public.engagement_events (
            engagement_id, at, actor_id, kind, from_state, to_state
          ) values (
            ${id}, ${at}, ${coach ? known(people, coach).id : null}, 'state_changed', ${before},
            ${state}
          )`.execute(tx);
      }
      await sql`update public.engagements set state = ${state}, updated_at = ${at} where id = ${id}`.execute(
        tx,
      );
      before = state;
    }
  };
}

/** Lets an attempt have begun on a day and taken so many minutes. */
function datedAttempt(id: string, began: Date, minutes: number): Moved {
  const ended = new Date(began.getTime() + minutes * 60_000);
  return async (db) => {
    await sql`
      update public.attempts set
        started_at = ${began}, expires_at = ${began}::timestamptz + interval '180 days',
        submitted_at = case when submitted_at is null then null else ${ended}::timestamptz end
      where id = ${id}`.execute(db);
    await sql`
      update public.answers a set answered_at = ${began}::timestamptz
        + make_interval(secs => ${minutes * 60} * q.position::float8 / 33)
      from public.quiz_questions q
      where a.attempt_id = ${id} and q.version_id = a.version_id and q.key = a.question_key`.execute(
      db,
    );
    await sql`
      update public.attempt_confidences set rated_at = ${ended} where attempt_id = ${id}`.execute(
      db,
    );
  };
}

/** Moves dates back, with the triggers of those tables asleep until it is done. */
async function moveBack(db: Database, moves: Moved[]): Promise<void> {
  // A trigger that still has to run would refuse to be put to sleep.
  await sql`set constraints all immediate`.execute(db);
  for (const table of datedTables)
    await sql`alter table public.${sql.id(table)} disable trigger user`.execute(db);
  for (const move of moves) await move(db);
  await sql`
    update public.profiles p set created_at = u.created_at, updated_at = u.created_at
    from auth.users u where u.id = p.user_id`.execute(db);
  for (const table of datedTables)
    await sql`alter table public.${sql.id(table)} enable trigger user`.execute(db);
}

function known(people: Map<string, BuiltPerson>, email: string): BuiltPerson {
  const person = people.get(email);
  if (!person) throw new Error(`The demo has no ${email}`);
  return person;
}

/** This many days before now, at a time of day at which people work. */
function daysAgo(days: number): Date {
  const then = new Date(Date.now() - days * 86_400_000);
  if (days >= 1) then.setUTCHours(15 + (Math.round(days) % 6), (Math.round(days) * 7) % 60, 0, 0);
  return then;
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
