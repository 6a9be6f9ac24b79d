import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Room } from '#backend/local/postgres/disk-space.ts';
import { startTick } from '#backend/local/tick.ts';
import { createTestDatabase, type TestDatabase } from '../../fixtures/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(
  () => database.sql`
  update private.jobs set finished_at = null, run_at = now() where every is not null`,
);

/** Whether the jobs ran at a beat with so much room on the disk, and what comes after them. */
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
