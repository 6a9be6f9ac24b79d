import { Kysely, PostgresDialect } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createPool } from '#backend/supabase/functions/_shared/connection.ts';
import { mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import { brand, prepareOutbox } from './outbox.ts';

// Removes the delay between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

const outbox = prepareOutbox();

/** Sends an email. As soon as it's delivered, the database fails 5,000 times with this code. */
async function send(code: string) {
  await outbox.queue('person@example.com');
  const pool = createPool(outbox.database.url, { max: 1 });
  let left = 0;
  const connect = async () => {
    if (left === 0) return pool.connect();
    left -= 1;
    throw Object.assign(new Error(code), { code });
  };
  const db = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: new PostgresDialect({ pool: { connect, end: pool.end } }),
  });
  let taken = 0;
  const deliver = async () => {
    taken += 1;
    left = 5_000;
  };
  const kind = mailJobs({ brand, deliver, keep: false });
  const sent = await runDueJobs(db, kind, { log: outbox.log }).catch(({ message }) => message);
  await db.destroy();
  const [row] = await outbox.rows();
  return { sent, taken, state: row?.state };
}

test.each([
  ['away', 'ECONNREFUSED'],
  ['full', '53100'],
])('However long the database is %s, a mail that was taken is not sent again', async (_, code) => {
  expect(await send(code)).toEqual({ sent: 1, taken: 1, state: 'done' });
});

test('What would never pass ends the round', async () => {
  expect(await send('42501')).toEqual({ sent: '42501', taken: 1, state: 'running' });
});
