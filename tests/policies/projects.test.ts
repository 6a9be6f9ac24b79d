import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
import {
  createWorld,
  everyone,
  refusalOf,
  type World,
  whoMay,
  whoReads,
} from '../fixtures/personas.ts';

let world: World;
const id = crypto.randomUUID();
beforeAll(async () => {
  world = await createWorld();
  await asPerson(
    world.sql,
    world.people.owner,
    (tx) => tx`select public.create_project(${id}, ${world.ids.alder}, 'Answer every lead')`,
  );
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table projects';

describe('Who may see and change rows of projects', () => {
  test('Nobody writes the table', async () => {
    expect(await whoMay(world, (sql) => sql`update public.projects set title = title`)).toEqual(
      everyone(denied),
    );
    expect(await whoMay(world, (sql) => sql`delete from public.projects`)).toEqual(
      everyone(denied),
    );
    expect(
      await whoMay(
        world,
        (sql) => sql`insert into public.projects (business_id) values (${world.ids.alder})`,
      ),
    ).toEqual(everyone(denied));
  });

  test('Only members and the assigned coach read', async () => {
    expect(await whoReads(world, 'projects', '*', (row) => `${row.title}`)).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['Answer every lead'],
        colleague: ['Answer every lead'],
        coach: ['Answer every lead'],
      }),
    );
  });

  test('Only members move a project; a refused step is written down and said in words', async () => {
    const { sql, people } = world;
    const move = (person: typeof people.owner, status: string, note: string | null = null) =>
      asPerson(
        sql,
        person,
        (tx) => tx`select public.move_project(${id}, ${status}, ${note}) as answer`,
      ).then(([row]) => row?.answer);
    expect(await refusalOf(move(people.otherOwner, 'planned'))).toMatch(/^P0002 /);
    expect(await refusalOf(move(people.coach, 'planned'))).toMatch(/^42501 /);
    expect(await move(people.owner, 'done')).toMatchObject({ status: 'draft' });
    expect((await move(people.owner, 'done')).refused).toMatch(/cannot take this step/);
    expect(await move(people.owner, 'planned')).toEqual({ status: 'planned', refused: null });
    expect((await move(people.owner, 'in_progress')).refused).toBeNull();
    expect((await move(people.owner, 'blocked')).refused).toMatch(/Say what blocks/);
    expect((await move(people.owner, 'blocked', 'No stock')).refused).toBeNull();
    const refused = await sql`
      select to_status from public.project_events
      where project_id = ${id} and kind = 'refused' order by id`;
    expect(refused.map((row) => row.to_status)).toEqual(['done', 'done', 'blocked']);
  });
});
