import { connect, type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { hashPassword } from '../auth/passwords.ts';
import { NEVER_OPEN, recall, remember } from '../postgres/bootstrap.ts';
import { DEMO_NOTE } from '../postgres/old-database.ts';
import { demoAccounts, demoPassword, hasAccounts } from './accounts.ts';
import { furnishBakery } from './bakery.ts';
import {
  type BuiltPerson,
  createPerson,
  firstQuiz,
  publishedQuiz,
  randomFrom,
} from './builders.ts';
import { demoRequests } from './clients.ts';
import { dateNotifications, describeCoaches, makeEngagement } from './coaching.ts';
import { addContacts } from './contacts.ts';
import { type DateChange, daysAgo, moveBack } from './dates.ts';
import { fillEvents } from './events.ts';
import { datesOfQuizzes, makeBusiness } from './history.ts';
import { sellMembership } from './membership.ts';
import { furnishMessages } from './messages.ts';
import { addReaders, sendIssues } from './newsletter.ts';
import { handOutSeats, placeOrders } from './orders.ts';
import { demoOwners } from './owners.ts';
import { addPageViews } from './page-views.ts';
import { demoMember, demoSponsor, demoStaff, known, type Newcomer } from './people.ts';
import { addPortraits } from './portraits.ts';
import { furnishProjects } from './projects.ts';
import { dateSignIns } from './sign-ins.ts';
import { furnishSkills } from './skills.ts';
import { answerSurvey } from './survey.ts';
import { writeTools } from './tools.ts';

/** An arbitrary but fixed seed, so that every first start creates the same answers. */
const seedOfTheDemo = 20_261_120;

/**
 * Fills an empty database with demo data in one transaction. It calls the product's own procedures
 * as the people who'd normally call them; only the dates are moved back afterward.
 * @returns whether there was anything to do.
 */
export async function seedDemo(databaseUrl: string): Promise<boolean> {
  if (await hasAccounts(databaseUrl)) return false;
  const db = connect(databaseUrl, { max: 1 });
  try {
    const passwordHash = await hashPassword(demoPassword);
    return await db.transaction().execute(async (tx) => {
      await makeDemo(tx, passwordHash);
      // Not if a site has run on this database: a visitor's earlier data would count as demo data.
      if ((await recall(tx, NEVER_OPEN)) !== undefined) {
        // The savepoint gives the note its own transaction ID, higher than that of any demo row.
        await query(tx)`savepoint note`;
        await remember(tx, DEMO_NOTE, new Date().toISOString());
      }
      return true;
    });
  } finally {
    await db.destroy();
  }
}

async function makeDemo(db: Database, passwordHash: string): Promise<void> {
  const quiz = await publishedQuiz(db);
  const first = await firstQuiz(db);
  const random = randomFrom(seedOfTheDemo);
  const people = new Map<string, BuiltPerson>();
  const dates: DateChange[] = datesOfQuizzes();
  const create = async (who: Newcomer) => {
    const person = await createPerson(db, {
      email: who.email,
      fullName: who.fullName,
      timeZone: who.timeZone,
      createdAt: daysAgo(who.daysAgo),
      ...(demoAccounts.includes(who.email) ? { passwordHash } : {}),
    });
    people.set(who.email, person);
    return person;
  };

  for (const member of demoStaff) {
    const { id } = await create(member);
    await query(db)`insert into public.staff_roles (user_id, role) values (${id}, ${member.role})`;
  }
  for (const owner of demoOwners) {
    const person = await create(owner);
    for (const business of owner.businesses) {
      dates.push(...(await makeBusiness(db, { person, business, quiz, firstQuiz: first, random })));
    }
  }
  await describeCoaches(db, people);
  await addPortraits(db, people);
  for (const request of demoRequests) dates.push(...(await makeEngagement(db, request, people)));
  const owner = known(people, 'owner@demo.test');
  const member = await create(demoMember);
  dates.push(...(await furnishBakery(db, { owner, member })));
  const coach = known(people, 'coach@demo.test');
  dates.push(...(await furnishProjects(db, { owner, coach })));
  dates.push(...(await furnishSkills(db, { owner, quiz, random })));
  const admin = known(people, 'admin@demo.test');
  const client = known(people, 'nadia@demo.test');
  const owner2 = known(people, 'owner2@demo.test');
  dates.push(...(await furnishMessages(db, { owner, member, coach, admin, client, owner2 })));
  await create(demoSponsor);
  dates.push(...(await placeOrders(db, people)));
  dates.push(...(await handOutSeats(db, people)));
  dates.push(...(await sellMembership(db, people)));
  dates.push(...(await answerSurvey(db, random)));
  await addReaders(db);
  dates.push(...(await sendIssues(db, people, 'first')));
  await addContacts(db);
  dates.push(...(await sendIssues(db, people, 'rest')));
  await writeTools(db, known(people, 'admin@demo.test'));
  await fillEvents(db);
  await addPageViews(db, random);
  await moveBack(db, dates);
  await dateNotifications(db);
  await dateSignIns(db);
  // Quizzes that were left open too long expire the usual way.
  await query(db)`update private.jobs set run_at = now() where every is not null`;
  await query(db)`select private.tick()`;
  // Nobody reads email at these addresses.
  await query(db)`delete from private.jobs where payload ->> 'to' like '%@demo.test'`;
  // Months of activity were written within a second and mustn't count toward today's rate limits.
  await query(db)`delete from public.rate_limits`;
}
