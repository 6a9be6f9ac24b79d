import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../fixtures/personas.ts';

const world = prepareWorld();

describe('Who may see and change the schedule', () => {
  test('Nobody reads or changes the schedule through the API', async () => {
    const denied = everyone('42501 permission denied for table schedule_jobs');
    expect(await whoMay(world, (sql) => sql`select 1 from public.schedule_jobs`)).toEqual(denied);
    await nobodyWrites(world, 'schedule_jobs');
  });
});

describe('A clock that is put', () => {
  const tick = async (): Promise<Record<string, unknown>> =>
    (await world.sql`select private.tick() as done`)[0]?.done;
  const count = async () => (await world.sql`select from public.schedule_jobs`).length;

  test('back stops no job: each runs once now, and then as often as before', async () => {
    await tick();
    expect(await tick()).toEqual({});
    // As rows are that were written before the clock went back by a day.
    await world.sql`
      update public.schedule_jobs
      set last_run_at = last_run_at + interval '1 day', next_run_at = next_run_at + interval '1 day'`;
    expect(Object.keys(await tick())).toHaveLength(await count());
    expect(await tick()).toEqual({});
    const [next] = await world.sql`
      select bool_and(next_run_at between now() and now() + every) as soon from public.schedule_jobs`;
    expect(next?.soon).toBe(true);
  });

  test('forward lets each job run once, not once for each time that it missed', async () => {
    await world.sql`update public.schedule_jobs set next_run_at = now() - interval '400 days'`;
    expect(Object.keys(await tick())).toHaveLength(await count());
    expect(await tick()).toEqual({});
  });
});
