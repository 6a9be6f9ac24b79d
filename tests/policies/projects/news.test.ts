import { expect, test } from 'vitest';
import type { News } from '#data/news.ts';
import type { Person } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { people, ids, sql, ask, refusal } = world;
const { owner, colleague, otherOwner, coach, otherCoach } = people;
const project = crypto.randomUUID();
await createProject(world, project);
await ask(colleague, "move_project($1, 'planned')", [project]);
await ask(colleague, "add_project_update(gen_random_uuid(), $1, 'Called Ann.')", [project]);
await sql`select private.notify(${owner.userId}, 'coaching', 'it', 'A note', 'B', '/dashboard')`;

const news = async (who: Person, business: string | null = ids.alder): Promise<string[]> =>
  (await ask(who, 'get_home($1)', [business])).news.map(
    ({ kind, title, by }: News) => `${kind} ${title} ${by}`,
  );

test('Nobody reads what happens at another business, or of another person', async () => {
  expect(await refusal(people.visitor, 'get_home($1)', [ids.alder])).toMatch(/^42501 /);
  for (const who of [otherOwner, otherCoach, people.sponsor, people.admin]) {
    expect(await news(who)).toEqual([]);
  }
  expect(await news(people.ownerWithoutCode, ids.cedar)).toEqual([]);
});

test('Someone reads what others did and what they were told, and nothing that they did', async () => {
  expect((await news(owner)).toSorted()).toEqual([
    'moved Answer every lead Cole League',
    'notification A note null',
    'update Answer every lead Cole League',
  ]);
  expect(await news(colleague)).toEqual([]);
  expect(await news(owner, null)).toEqual(['notification A note null']);
  // A coach's first page is about today.
  expect(await news(coach)).toEqual([]);
});

test('A project is there once, and at most six things are, none older than 30 days', async () => {
  await ask(colleague, "move_project($1, 'in_progress')", [project]);
  expect((await news(owner)).filter((each) => each.startsWith('moved'))).toHaveLength(1);
  for (let n = 0; n < 9; n += 1) {
    await sql`select private.notify(${owner.userId}, 'coaching', ${`n${n}`}, 'T', 'B', '/dashboard')`;
  }
  expect(await news(owner)).toHaveLength(6);
  await sql`update public.notifications set created_at = now() - interval '31 days'`;
  expect((await news(owner)).filter((each) => each.startsWith('notification'))).toEqual([]);
});
