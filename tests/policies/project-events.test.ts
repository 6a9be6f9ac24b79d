import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, everyone, type World, whoMay, whoReads } from '../fixtures/personas.ts';
import { createProject } from '../fixtures/project.ts';

let world: World;
const id = crypto.randomUUID();
beforeAll(async () => {
  world = await createWorld();
  await createProject(world, id);
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table project_events';

describe('Who may see and change rows of project events', () => {
  test('Nobody writes the table', async () => {
    expect(await whoMay(world, (sql) => sql`update public.project_events set kind = kind`)).toEqual(
      everyone(denied),
    );
    expect(await whoMay(world, (sql) => sql`delete from public.project_events`)).toEqual(
      everyone(denied),
    );
    expect(
      await whoMay(
        world,
        (sql) => sql`insert into public.project_events (business_id) values (${world.ids.alder})`,
      ),
    ).toEqual(everyone(denied));
  });

  test('Only members and the assigned coach read', async () => {
    expect(await whoReads(world, 'project_events', '*', (row) => `${row.kind}`)).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['created'],
        colleague: ['created'],
        coach: ['created'],
      }),
    );
  });
});
