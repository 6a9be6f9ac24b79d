import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { startPostgres } from '#backend/local/postgres/postgres.ts';
import { connect as connectPool } from '#backend/supabase/functions/_shared/connection.ts';
import { connect, serverPid } from '../../../fixtures/connection.ts';
import { type GatewaySite, openSite } from '../gateway/site.ts';
import { temporaryFolders } from './process.ts';

/** The longest a response may take, in ms. */
const PATIENCE = 10_000;
/** Internal details that no response may reveal. */
const INSIDE = /127\.0\.0\.1|ECONN|postgres|supabase_admin|terminat|\bat .*\.(ts|js):\d+|port \d+/i;

const makeFolder = temporaryFolders();
let dataDir: string;
let site: GatewaySite;
let headers: Record<string, string>;

beforeAll(async () => {
  dataDir = await makeFolder('plain');
  const folder = await takeDataFolder(dataDir);
  const server = await startPostgres({ folder: dataDir, settings: ['fsync=off'] });
  const sql = connect(server.url, 1);
  await sql.unsafe(`
    create table public.notes (id uuid not null);
    alter table public.notes enable row level security;
    create policy "Everyone" on public.notes for all to authenticated using (true) with check (true);
    grant select, insert on public.notes to authenticated;
  `);
  const db = connectPool(server.url, { max: 1 });
  const drop = async () => {
    await sql.end();
    await db.destroy();
    await server.stop();
    folder.release();
  };
  site = await openSite({ database: { url: server.url, sql, db, drop } });
  headers = await site.headersOf((await site.person('owner@example.com')).browser);
});
afterAll(() => site.close());

/** Ids of writes that got a success response, and descriptions of responses that break a rule. */
let stored: string[];
let wrong: string[];
beforeEach(() => {
  stored = [];
  wrong = [];
});

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const from = performance.now();
  const answer = await site.ask(path, { ...init, headers });
  const text = await answer.clone().text();
  const took = performance.now() - from;
  if (took > PATIENCE) wrong.push(`${path}: ${took} ms`);
  if (answer.status >= 500 && (answer.status !== 503 || INSIDE.test(text))) {
    wrong.push(`${path}: ${answer.status} ${text}`);
  }
  if (answer.status === 503 && !answer.headers.has('retry-after')) wrong.push(`${path}: no pause`);
  return answer;
}

const READS = ['/rest/v1/notes?select=id&limit=5', '/auth/v1/user', '/rest/v1/rpc/get_quiz'];

/** Reads and writes concurrently until `ends` resolves. No write is retried. */
async function underLoad(ends: () => Promise<unknown>): Promise<void> {
  let stopping = false;
  const write = async () => {
    while (!stopping) {
      const id = crypto.randomUUID();
      const answer = await ask('/rest/v1/notes', { method: 'POST', body: JSON.stringify({ id }) });
      if (answer.ok) stored.push(id);
      else await wait(20);
    }
  };
  const read = async (path: string) => {
    while (!stopping) if (!(await ask(path)).ok) await wait(20);
  };
  const load = [...Array.from({ length: 6 }, write), ...READS.map(read)];
  await wait(200);
  await ends();
  stopping = true;
  await Promise.all(load);
}

async function isBack(): Promise<void> {
  await expect
    .poll(async () => (await ask(READS[0] as string)).status, { timeout: 15_000 })
    .toBe(200);
}

async function everythingHolds(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => ask(READS[n % READS.length] as string)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(wrong).toEqual([]);
  expect(stored.length).toBeGreaterThan(0);
  const rows = await site.sql<{ id: string; times: number }[]>`
    select id, count(*)::int as times from public.notes group by id`;
  const times = new Map(rows.map((row) => [row.id, row.times]));
  expect(stored.filter((id) => times.get(id) !== 1)).toEqual([]);
  expect(rows.filter((row) => row.times > 1)).toEqual([]);
}

async function someConnection(): Promise<number> {
  const [row] = await site.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where application_name in ('trellis-rest', 'trellis-auth')
    order by (state = 'active') desc, random() limit 1`;
  return row?.pid ?? 0;
}

describe('Under readers and writers', () => {
  test.each([
    ['is killed', 'SIGKILL'],
    ['is killed again', 'SIGKILL'],
    ['is restarted by its operator', 'SIGINT'],
  ] as const)('A database server that %s loses and doubles nothing', async (_what, signal) => {
    await underLoad(async () => {
      process.kill((await serverPid(dataDir)) ?? 0, signal);
      await wait(100);
      await isBack();
    });
    await everythingHolds();
  });

  test.each(['One', 'Another'])('%s connection that is killed loses nothing', async () => {
    await underLoad(async () => {
      process.kill(await someConnection(), 'SIGKILL');
      await wait(100);
      await isBack();
    });
    await everythingHolds();
  });

  test('A connection that does not answer any more is left alone', async () => {
    let pid = 0;
    await underLoad(async () => {
      pid = await someConnection();
      process.kill(pid, 'SIGSTOP');
    });
    process.kill(pid, 'SIGCONT');
    await everythingHolds();
  });
});

test('A connection that went silent while nobody asked keeps nobody waiting', async () => {
  const pid = await someConnection();
  process.kill(pid, 'SIGSTOP');
  stored.push(crypto.randomUUID());
  await site.sql`insert into public.notes values (${stored[0] as string})`;
  // A connection counts as working for 250 ms after an answer.
  await wait(300);
  await everythingHolds();
  process.kill(pid, 'SIGCONT');
});

test('While the server is away each service says so in a sentence, and a dead process holds up no restart', async () => {
  const silent = await someConnection();
  process.kill(silent, 'SIGSTOP');
  process.kill((await serverPid(dataDir)) ?? 0, 'SIGKILL');
  const paths = [
    '/rest/v1/notes',
    '/rest/v1/rpc/get_quiz',
    '/auth/v1/user',
    '/storage/v1/bucket',
    '/storage/v1/object/authenticated/message-files/a/b',
  ];
  const askAll = () =>
    Promise.all([
      ...paths.map((path) => ask(path)),
      ask('/functions/v1/page-view', { method: 'POST', body: '{"route":"/","path":"/"}' }),
    ]);
  // PostgreSQL's other processes notice a moment later and keep responding until then, each for
  // itself: a service that has one of them still answers when another can't any more.
  await expect
    .poll(async () => new Set((await askAll()).map(({ status }) => status)), { interval: 1 })
    .toEqual(new Set([503]));
  for (const answer of await askAll()) {
    expect.soft(answer.status).toBe(503);
    expect.soft(JSON.stringify(await answer.json())).toContain('unavailable right now');
  }
  expect(wrong).toEqual([]);
  await isBack();
});
