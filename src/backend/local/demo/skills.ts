import { sql } from 'kysely';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { BAKERY } from './bakery.ts';
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
} from './builders.ts';
import { type DateChange, isoDay } from './dates.ts';
import { datesOfAttempt } from './history.ts';

/** What the bakery's owner has worked on: in days before today, but `due` in days after it. */
const FOCUS = [
  {
    area: 'sales-marketing',
    chosen: 36,
    actions: [
      {
        body: 'For each wholesale account, write down what they order, what it costs us to serve them, and what’s left.',
        begun: 36,
        due: -8,
        done: 11,
      },
      {
        body: 'Raise the price of the two rolls we make the least on, and call the four restaurants that buy them first.',
        begun: 11,
        due: 19,
      },
    ],
  },
  {
    area: 'business-planning',
    chosen: 26,
    actions: [
      {
        body: 'Ask the insurance agent what coverage the van and the new oven need, and put both policies where Luis can find them.',
        begun: 26,
        due: 4,
        // Keeps a reminder email from going out while someone tries the demo.
        remind: false,
      },
    ],
  },
] as const;

/** Businesses in the bakery's industry and stage, so that there are enough to compare. */
const NEIGHBORS = [
  ['Acequia Coffee', 'Rosa Trujillo'],
  ['Nine Mile Diner', 'Walt Jessup'],
  ['Blue Corn Kitchen', 'Dana Begay'],
  ['Rio Puerco Roasters', 'Ivan Castellano'],
  ['The Tamale Window', 'Lupe Arce'],
  ['Sandia Creamery', 'Paul Nyberg'],
  ['Corrales Cider House', 'Hannah Fuchs'],
  ['Bosque Noodles', 'Minh Tran'],
  ['Old Town Chocolate', 'Celia Baca'],
  ['Two Sisters Catering', 'Ruth Ann Poole'],
  ['Barelas Street Tacos', 'Jaime Solano'],
  ['Mountain Road Deli', 'Erin Walsh'],
  ['North Valley Preserves', 'Ada Kimball'],
  ['Copper Pan Breakfast', 'Felix Aragon'],
  ['Nob Hill Gelato', 'Chiara Rossi'],
  ['Placitas Pasta', 'Owen Hart'],
  ['Lead Avenue Lunch', 'Tariq Aziz'],
  ['Edgewood Eggs and Bread', 'June Tafoya'],
  ['Tijeras Smokehouse', 'Cole Maddox'],
  ['Silver Spoon Soups', 'Beatriz Luna'],
] as const;

/**
 * Has the bakery's owner work on two areas, and adds twenty similar businesses with one quiz each, so
 * that the benchmark has something to show.
 */
export async function furnishSkills(
  db: Database,
  parts: { owner: BuiltPerson; quiz: BuiltQuiz; random: () => number },
): Promise<DateChange[]> {
  const changes = await chooseFocus(db, parts.owner);
  const bakery = await queryOne<{ industry: string; stage: string }>(db)`
    select industry, stage from public.businesses where id = ${BAKERY}`;
  for (const [index, [name, fullName]] of NEIGHBORS.entries()) {
    const neighbor = { name, fullName, daysAgo: 20 + 9 * index, ...bakery };
    changes.push(...(await makeNeighbor(db, parts, neighbor)));
  }
  return changes;
}

const daysFrom = (days: number) => new Date(Date.now() + days * 86_400_000);

async function chooseFocus(db: Database, owner: BuiltPerson): Promise<DateChange[]> {
  const attempt = idOf('attempt Delgado Bakery 3');
  const changes: DateChange[] = [];
  await actAs(db, owner, async () => {
    for (const { area, chosen, actions } of FOCUS) {
      const id = idOf(`focus ${area}`);
      changes.push(sql`
        update public.focus_areas set chosen_at = ${daysFrom(-chosen)} where id = ${id}`);
      for (const [index, action] of actions.entries()) {
        const actionId = idOf(`focus ${area} ${index}`);
        // Due dates can't be in the past, so start with a later one and move it back below.
        const due = isoDay(daysFrom(Math.max(action.due, 1)));
        await (index === 0
          ? query(db)`select public.choose_focus_area(
              ${id}, ${attempt}, ${area}, ${actionId}, ${action.body}, ${due}, null,
              ${!('remind' in action)})`
          : query(db)`select public.add_focus_action(${actionId}, ${id}, ${action.body}, ${due})`);
        const isDone = 'done' in action;
        if (isDone) await query(db)`select public.settle_focus_action(${actionId}, 'done')`;
        changes.push(sql`
          update public.focus_actions set
            created_at = ${daysFrom(-action.begun)}, due_on = ${isoDay(daysFrom(action.due))},
            settled_at = ${isDone ? daysFrom(-action.done) : null}
          where id = ${actionId}`);
      }
    }
  });
  return changes;
}

async function makeNeighbor(
  db: Database,
  { quiz, random }: { quiz: BuiltQuiz; random: () => number },
  neighbor: { name: string; fullName: string; daysAgo: number; industry?: string; stage?: string },
): Promise<DateChange[]> {
  const { name, fullName, daysAgo, industry, stage } = neighbor;
  const person = await createPerson(db, {
    email: `${fullName.toLowerCase().replaceAll(' ', '.')}@demo.test`,
    fullName,
    timeZone: 'America/Denver',
    createdAt: daysFrom(-daysAgo - 1),
  });
  const [business, attempt] = [idOf(`business ${name}`), idOf(`attempt ${name} 0`)];
  const levels = Object.fromEntries(quiz.areas.map(({ key }) => [key, 0.6 + random() * 2.4]));
  const answers = plausibleAnswers(quiz.questions, levels, habitsFrom(quiz.questions, random));
  await actAs(db, person, async () => {
    await query(db)`select public.create_business(${business}, ${name}, 'trading', '87102', null)`;
    await query(db)`select
      public.save_business_fact(${business}, 'industry', ${industry}, array['']),
      public.save_business_fact(${business}, 'stage', ${stage}, array[''])`;
    await query(db)`select public.start_attempt(${attempt}, ${quiz.id}, ${business})`;
    const confidences = plausibleConfidences(quiz.areas, levels, {});
    await answerAttempt(db, { id: attempt, versionId: quiz.id }, answers, confidences);
    await query(db)`select public.finish_attempt(${attempt})`;
  });
  const taken = daysFrom(-daysAgo);
  return [
    sql`
      update public.businesses set created_at = ${taken}, updated_at = ${taken}
      where id = ${business}`,
    sql`update public.business_members set joined_at = ${taken} where business_id = ${business}`,
    ...datesOfAttempt(attempt, taken, 21),
  ];
}
