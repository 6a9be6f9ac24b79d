import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createPool } from '#backend/supabase/functions/_shared/connection.ts';
import { mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import { createTestDatabase, type TestDatabase } from '../../fixtures/database.ts';

// No pause between two tries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from private.jobs where kind = 'mail'`;
  await database.sql`
    select private.send_mail('person@example.com', 'newsletter-welcome', '{"path": "/newsletter#leave=x"}')`;
});

/** Sends through a database that fails so often as soon as a mail was taken. */
async function send(failures: number, error: Error) {
  const pool = createPool(database.url, { max: 1 });
  let left = 0;
  const connect = async () => {
    if (left === 0) return pool.connect();
    left -= 1;
    throw error;
  };
  const db = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: new PostgresDialect({ pool: { connect, end: pool.end } }),
  });
  let taken = 0;
  const deliver = async () => {
    taken += 1;
    left = failures;
  };
  const brand = {
    product: 'Trellis',
    organisation: 'Trellis',
    email: 'hello@trellis.example',
    siteUrl: 'http://127.0.0.1:4321',
  };
  const sent = await runDueJobs(db, mailJobs({ brand, deliver, keep: false }), {
    log: () => {},
  }).catch((thrown: Error) => thrown.message);
  await db.destroy();
  const [row] = await database.sql`select state from private.mails`;
  return { sent, taken, state: row?.state };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['away', 'ECONNREFUSED'],
  ['full', '53100'],
])(
  'However long the database is %s, a mail that was taken is not sent again',
  async (_what, code) => {
    const outcome = await send(5_000, failure(code));
    expect(outcome).toEqual({ sent: 1, taken: 1, state: 'done' });
  },
);

test('What would never pass ends the round', async () => {
  const outcome = await send(5_000, failure('42501'));
  expect(outcome).toEqual({ sent: '42501', taken: 1, state: 'running' });
});
