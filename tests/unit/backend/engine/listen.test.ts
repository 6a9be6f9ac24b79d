import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '#backend/local/postgres/listen.ts';
import { connect } from '#backend/supabase/functions/_shared/connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('empty');
});

afterAll(() => database.drop());

async function pidOf(name: string): Promise<number> {
  const [row] = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = ${name}`;
  return row?.pid ?? 0;
}

test('A listener hears again after its connection was lost, and is told that it missed something', async () => {
  const heard: string[] = [];
  let missed = 0;
  const listener = await listen(database.url, {
    name: 'listener',
    channel: 'News',
    onNotification: (payload) => heard.push(payload),
    onReconnect: () => {
      missed += 1;
    },
  });
  await database.sql`select pg_notify('News', 'first')`;
  await expect.poll(() => heard).toEqual(['first']);

  await database.sql`select pg_terminate_backend(${await pidOf('listener')})`;
  await expect.poll(() => missed).toBe(1);
  await database.sql`select pg_notify('News', 'second')`;
  await expect.poll(() => heard).toEqual(['first', 'second']);

  await listener.close();
  await expect.poll(() => pidOf('listener')).toBe(0);
});

test('A listener that is closed while it connects again leaves no connection behind', async () => {
  let gate = Promise.resolve();
  const waiting: Socket[] = [];
  const proxy = createServer(async (client) => {
    waiting.push(client);
    await gate;
    const { port, hostname } = new URL(database.url);
    const upstream = dial(Number(port), hostname);
    for (const each of [client, upstream]) each.on('error', () => {});
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(database.url);
  through.port = `${(proxy.address() as AddressInfo).port}`;
  let missed = 0;
  const listener = await listen(through.href, {
    name: 'closing',
    channel: 'News',
    onReconnect: () => {
      missed += 1;
    },
  });
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate = promise;
  await database.sql`select pg_terminate_backend(${await pidOf('closing')})`;
  await expect.poll(() => waiting.length, { timeout: 5_000 }).toBe(2);
  const closed = listener.close();
  open();
  await closed;
  await expect.poll(() => pidOf('closing')).toBe(0);
  expect(missed).toBe(0);
  for (const each of waiting) each.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

/** Longer than a connection counts as working after an answer, in ms. */
const LATELY = 300;

test('A pool asks on another connection when the one that it has does not answer', async () => {
  const db = connect(database.url, { max: 2, name: 'pool', statementTimeout: 1_000 });
  await sql`select 1`.execute(db);
  const pid = await pidOf('pool');
  process.kill(pid, 'SIGSTOP');
  await wait(LATELY);
  try {
    const answers = Array.from({ length: 10 }, () => sql`select 1`.execute(db));
    expect(await Promise.all(answers)).toHaveLength(10);
  } finally {
    process.kill(pid, 'SIGCONT');
    await db.destroy();
  }
});

test('A question that nobody answers fails, and its connection leaves the pool', async () => {
  const db = connect(database.url, { max: 1, name: 'patient', statementTimeout: 500 });
  await sql`select 1`.execute(db);
  const pid = await pidOf('patient');
  const asked = sql`select pg_sleep(0.3)`.execute(db);
  await wait(100);
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(asked).rejects.toThrow();
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
  } finally {
    process.kill(pid, 'SIGCONT');
    await db.destroy();
  }
});
