import { sql } from 'kysely';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { BAKERY } from './bakery.ts';
import {
  actAs,
  answerAttempt,
  type BuiltPerson,
  type BuiltQuiz,
  habitsFrom,
  idOf,
  plausibleAnswers,
  plausibleConfidences,
} from './builders.ts';
import { type DateChange, dayAgo, daysAgo } from './dates.ts';
import type { DemoBusiness } from './owners.ts';

interface Parts {
  person: BuiltPerson;
  business: DemoBusiness;
  quiz: BuiltQuiz;
  /** The version that attempts were taken with before it. */
  firstQuiz: BuiltQuiz;
  random: () => number;
}

/** So many days ago, version 2 of the quiz took the place of version 1. */
const FIRST_QUIZ_UNTIL = 300;
/** And so many days ago, there was a version 1. */
const FIRST_QUIZ_FROM = 640;

/** When the two versions of the quiz were published: the first, before anyone took it. */
export const datesOfQuizzes = (): DateChange[] =>
  [FIRST_QUIZ_FROM, FIRST_QUIZ_UNTIL].map((days, place) => {
    const at = daysAgo(days);
    return sql`
      update public.quiz_versions set created_at = ${at}, published_at = ${at}
      where number = ${place + 1}`;
  });

export async function makeBusiness(db: Database, parts: Parts): Promise<DateChange[]> {
  const { person, business, random } = parts;
  const id = idOf(`business ${business.name}`);
  await actAs(db, person, () => createBusiness(db, id, business, random));
  const began = daysAgo(Math.max(...business.history.map((step) => step.daysAgo)) + 1);
  const changes: DateChange[] = [
    sql`update public.businesses set created_at = ${began}, updated_at = ${began} where id = ${id}`,
    sql`update public.business_members set joined_at = ${began} where business_id = ${id}`,
    sql`
      update public.business_snapshots set created_at = greatest(taken_on + time '17:00', ${began}::timestamptz)
      where business_id = ${id}`,
  ];

  const habits = habitsFrom(parts.quiz.questions, random);
  let levels = business.levels;
  for (const [index, step] of business.history.entries()) {
    if (step.kind === 'full' && step.better) levels = improved(levels, step.better, random);
    const isFirst = step.daysAgo > FIRST_QUIZ_UNTIL;
    const quiz = isFirst ? parts.firstQuiz : parts.quiz;
    const attempt = { id: idOf(`attempt ${business.name} ${index}`), versionId: quiz.id };
    const all = plausibleAnswers(quiz.questions, levels, habits);
    const confidences = plausibleConfidences(quiz.areas, levels, business.bias ?? {});
    const made = isFirst
      ? await takeOldStep(db, { step, attempt, businessId: id, all, confidences, quiz, person })
      : await actAs(db, person, () =>
          takeStep(db, { step, attempt, businessId: id, all, confidences, quiz }),
        );
    const day = daysAgo(step.daysAgo);
    changes.push(...datesOfAttempt(made.id, day, step.kind === 'first-look' ? 4 : 23));
    if (made.open) changes.push(...datesOfAttempt(made.open, day, 4));
  }
  return changes;
}

async function createBusiness(
  db: Database,
  id: string,
  business: DemoBusiness,
  random: () => number,
): Promise<void> {
  await query(db)`select public.create_business(
    ${id}, ${business.name}, ${business.trading}, ${business.postalCode}, ${business.helpWanted})`;
  const facts = {
    city: business.city,
    region: business.region,
    country: 'US',
    industry: business.industry,
    stage: business.stage,
    home_based: business.homeBased ? 'yes' : 'no',
    description: business.description,
    start_date: business.years ? dayAgo(business.years * 365.25) : '',
  };
  for (const [field, value] of Object.entries(facts)) {
    await query(db)`select public.save_business_fact(${id}, ${field}, ${value}, array[''])`;
  }
  await makeSnapshots(db, id, business, random);
}

/** The levels at the next quiz; areas that `better` doesn't name change a little, at random. */
function improved(
  levels: DemoBusiness['levels'],
  better: Record<string, number>,
  random: () => number,
): DemoBusiness['levels'] {
  return Object.fromEntries(
    Object.entries(levels).map(([area, level]) => [
      area,
      Math.min(3.9, level + (better[area] ?? (random() - 0.3) * 0.15)),
    ]),
  );
}

interface StepParts {
  step: DemoBusiness['history'][number];
  attempt: { id: string; versionId: string };
  businessId: string;
  all: ReturnType<typeof plausibleAnswers>;
  confidences: ReturnType<typeof plausibleConfidences>;
  quiz: BuiltQuiz;
}

/** Performs one step of a history; returns its attempt, and the one it left open, if any. */
async function takeStep(db: Database, parts: StepParts): Promise<{ id: string; open?: string }> {
  const { step, attempt, businessId, all, confidences, quiz } = parts;
  if (step.kind === 'first-look') {
    const asked = new Set(quiz.questions.filter((one) => one.first_look).map((one) => one.key));
    const answers = all
      .filter((answer) => asked.has(answer.question_key))
      .map((answer) => ({ ...answer, answered_at: new Date().toISOString() }));
    const row = await queryOne<{
      made: { first_look_id: string; attempt_id?: string };
    }>(db)`select public.adopt_answers(
      ${attempt.id}, ${attempt.versionId}, 'first_look', ${businessId},
      ${JSON.stringify(answers)}, '[]') as made`;
    return { id: row?.made.first_look_id as string, open: row?.made.attempt_id };
  }

  const row = await queryOne<{ made: { id: string } }>(db)`
    select public.start_attempt(${attempt.id}, ${attempt.versionId}, ${businessId}) as made`;
  const started = { id: row?.made.id as string, versionId: attempt.versionId };
  if (step.kind === 'open') {
    const answers = all.slice(0, step.answered);
    const done = quiz.areas.slice(0, Math.floor(step.answered / 4)).map((area) => area.key);
    const rated = confidences.filter(({ area_key }) => done.includes(area_key));
    await answerAttempt(db, started, answers, rated);
  } else {
    await answerAttempt(db, started, all, confidences);
    await query(db)`select public.finish_attempt(${started.id})`;
  }
  return { id: started.id };
}

/**
 * Performs a finished step of a history with a version that's retired, in which nobody can start an
 * attempt anymore. The procedure that submits it is the one that people use.
 */
async function takeOldStep(
  db: Database,
  parts: StepParts & { person: BuiltPerson },
): Promise<{ id: string; open?: string }> {
  const { step, attempt, businessId, all, confidences, quiz, person } = parts;
  const isFirstLook = step.kind === 'first-look';
  const asked = new Set(
    quiz.questions.filter((one) => !isFirstLook || one.first_look).map((one) => one.key),
  );
  await query(db)`
    insert into public.attempts (id, user_id, business_id, version_id, kind)
    values (${attempt.id}, ${person.id}, ${businessId}, ${quiz.id},
      ${isFirstLook ? 'first_look' : 'full'})`;
  await answerAttempt(
    db,
    attempt,
    all.filter((answer) => asked.has(answer.question_key)),
    isFirstLook ? [] : confidences,
  );
  await query(db)`select private.submit_attempt(${attempt.id})`;
  return { id: attempt.id };
}

/** Adds figures for twice a year over two years, growing to today's; a new business has fewer. */
async function makeSnapshots(
  db: Database,
  businessId: string,
  business: DemoBusiness,
  random: () => number,
): Promise<void> {
  const { revenue, margin = 0, people, years = 0 } = business;
  if (!revenue || !people) return;
  // The bakery has monthly figures for the last year (bakery.ts).
  const ages = businessId === BAKERY ? [730, 547, 12] : [730, 547, 365, 182, 12];
  for (const age of ages.filter((days) => days < years * 365)) {
    const share = (1 - (age / 365) * 0.11) * (0.97 + random() * 0.06);
    const taken = Math.round((revenue * share) / 100) * 100;
    const profit = Math.round((taken * (margin + (random() - 0.5) * 0.03)) / 100) * 100;
    await query(db)`select public.add_snapshot(
      ${idOf(`snapshot ${businessId} ${age}`)}, ${businessId}, ${dayAgo(age)},
      ${Math.max(1, Math.round(people.full * share))}, ${Math.round(people.part * share)},
      ${taken * 100}, ${profit * 100}, 'USD')`;
  }
}

/** Makes an attempt start on a day and take this many minutes. */
export function datesOfAttempt(id: string, began: Date, minutes: number): DateChange[] {
  const ended = new Date(began.getTime() + minutes * 60_000);
  return [
    sql`
      update public.attempts set
        started_at = ${began}, expires_at = ${began}::timestamptz + interval '180 days',
        submitted_at = case when submitted_at is null then null else ${ended}::timestamptz end
      where id = ${id}`,
    sql`
      update public.answers a set answered_at = ${began}::timestamptz
        + make_interval(secs => ${minutes * 60} * q.position::float8 / 33)
      from public.quiz_questions q
      where a.attempt_id = ${id} and q.version_id = a.version_id and q.key = a.question_key`,
    sql`update public.attempt_confidences set rated_at = ${ended} where attempt_id = ${id}`,
  ];
}
