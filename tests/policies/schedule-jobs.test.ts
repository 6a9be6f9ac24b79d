import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, everyone, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

describe('Who may see and change the schedule', () => {
  test('Nobody reads or changes the schedule through the API', async () => {
    const denied = everyone('42501 permission denied for table schedule_jobs');
    expect(await whoMay(world, (sql) => sql`select 1 from public.schedule_jobs`)).toEqual(denied);
    expect(
      await whoMay(world, (sql) => sql`insert into public.schedule_jobs default values`),
    ).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`delete from public.schedule_jobs`)).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`truncate public.schedule_jobs`)).toEqual(denied);
    expect(
      await whoMay(world, (sql) => sql`update public.schedule_jobs set every = every`),
    ).toEqual(denied);
  });
});
