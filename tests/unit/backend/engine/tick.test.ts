import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Room } from '#backend/local/postgres/disk-space.ts';
import { startTick } from '#backend/local/tick.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(
  () => database.sql`
  update private.jobs set finished_at = null, run_at = now() where every is not null`,
);

/** Runs one tick with this much disk space. Returns whether the jobs and `afterwards` ran. */
async function beat(room: Room) {
  let isAfter = false;
  const logged: string[] = [];
  const tick = startTick({
    databaseUrl: database.url,
    room: async () => room,
    afterwards: async () => {
      isAfter = true;
    },
    log: (line) => logged.push(line),
  });
  await tick.stop();
  expect(logged).toEqual([]);
  const [row] = await database.sql<{ ran: boolean }[]>`
    select bool_and(finished_at is not null) as ran from private.jobs where every is not null`;
  return { jobs: row?.ran, isAfter };
}

test('Below the reserve the schedule removes what is due, because nothing else makes room', async () => {
  expect(await beat('little')).toEqual({ jobs: true, isAfter: true });
  expect(await beat('enough')).toEqual({ jobs: true, isAfter: true });
});

test('Below half of the reserve the schedule waits', async () => {
  expect(await beat('none')).toEqual({ jobs: false, isAfter: false });
});

test('Messages of channels are kept for three days and then removed', async () => {
  await database.sql`
    insert into realtime.messages (topic, event, extension, payload, inserted_at)
    select 'old', days || ' days', 'broadcast', '{}', now() - make_interval(days => days)
    from unnest(array[1, 2, 4, 40]) as d (days)`;
  await beat('enough');
  const kept = await database.sql`
    select event from realtime.messages where topic = 'old' order by inserted_at`;
  expect(kept.map(({ event }) => event)).toEqual(['2 days', '1 days']);
});
