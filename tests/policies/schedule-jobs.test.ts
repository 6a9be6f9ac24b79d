import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
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
    await nobodyWrites(world, 'schedule_jobs');
  });
});
