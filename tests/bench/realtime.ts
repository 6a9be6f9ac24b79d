import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Sql } from 'postgres';
import { WebSocket } from 'ws';
import { idOf } from '#backend/local/builders.ts';
import { connect } from '#backend/local/connection.ts';
import { type Keys, loadKeys } from '#backend/local/keys.ts';
import { findRunningPostgres } from '#backend/local/postgres.ts';
import { type SiteProcess, startSite } from '../e2e/site-process.ts';
import { createTokenHolders, type TokenHolder } from '../fixtures/token-holders.ts';
import type { BenchPart } from './parts.ts';
import { type Arrivals, type Holding, type Listening, now } from './realtime-messages.ts';
import type { Figure } from './report.ts';

/** Listeners of one conversation. */
const FEW = 1;
const MANY = 200;
/** Messages of each measurement, after some to warm up. */
const ROUNDS = 100;
const WARM_UP = 15;
/** Listeners of one process: more would wait for each other and not for the server. */
const A_PROCESS = 50;
/** Connections whose cost is measured. */
const CONNECTIONS = [200, 1_000];
/** How long the cost is watched, in milliseconds; heartbeats and the schedule come once in it at least. */
const WATCHED = 60_000;
/** Of this many connections, each that loses its permission must end within this time. */
const SWEPT = 500;
const SWEPT_WITHIN_S = 5;
const SWEEPS = 4;
/** Messages in a short and in a long conversation, and how much longer the long one may take to open. */
const SHORT = 100;
const LONG = 100_000;
const TIMES = 1.3;
const OPENINGS = 80;

const BAKERY = idOf('business Delgado Bakery');

const sorted = (values: number[]) => values.toSorted((a, b) => a - b);
const at = (values: number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const median = (values: number[]) => at(values, 0.5);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Bench {
  site: SiteProcess;
  dataDir: string;
  sql: Sql;
  keys: Keys;
}

function spread(what: string, values: number[]): Figure[] {
  return [
    { what: `${what}, median`, value: median(values), unit: 'ms' },
    { what: `${what}, 95 of 100`, value: at(values, 0.95), unit: 'ms' },
  ];
}

const LISTENERS = new URL('./realtime-listener.ts', import.meta.url);
const HOLDERS = new URL('./realtime-holder.ts', import.meta.url);
const children = new Set<ChildProcess>();
async function start(file: URL, message: Listening | Holding): Promise<ChildProcess> {
  const child = fork(fileURLToPath(file));
  children.add(child);
  child.once('exit', () => children.delete(child));
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (said) => said === 'ready' && resolve());
    child.once('exit', (code) => reject(new Error(`${file.pathname} ended (${code})`)));
  });
  child.send(message);
  await ready;
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.removeAllListeners('exit');
  child.disconnect();
  await once(child, 'exit');
  children.delete(child);
}

/** An unchanged client for whoever holds a token. */
function clientOf({ site, keys }: Bench, { id, token }: TokenHolder): SupabaseClient {
  return createClient(site.url, keys.publishableKey, {
    accessToken: async () => token,
    auth: { storageKey: id },
  });
}

/** People who belong to the bakery, with a conversation about one of its projects. */
async function gather(bench: Bench, count: number): Promise<{ people: TokenHolder[]; id: string }> {
  const { sql, keys, site } = bench;
  const people = await createTokenHolders({ sql, keys, siteUrl: site.url }, count);
  const [project] = await sql<{ id: string }[]>`
    insert into public.projects (id, business_id, title, outcome, status)
    values (gen_random_uuid(), ${BAKERY}, ${`For ${count}`}, 'Made for the bench', 'draft')
    returning id`;
  await sql`
    insert into public.business_members (business_id, user_id, role)
    select ${BAKERY}, (value ->> 'id')::uuid, 'member'
    from jsonb_array_elements(${sql.json(people as never)})`;
  const opener = people[0];
  if (!project || !opener) throw new Error('Nobody to talk with.');
  const id = randomUUID();
  const { error } = await clientOf(bench, opener).rpc('open_conversation', {
    p_id: id,
    p_kind: 'project',
    p_subject: project.id,
  });
  if (error) throw new Error(error.message);
  return { people, id };
}

/** How long one round trip over a bare socket of this machine takes, to a process of its own. */
async function openEcho(): Promise<{ ask(): Promise<number>; close(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./realtime-echo.ts', import.meta.url)));
  const [port] = await once(child, 'message');
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(socket, 'open');
  return {
    async ask() {
      const from = now();
      socket.send('x'.repeat(600));
      await once(socket, 'message');
      return now() - from;
    },
    async close() {
      socket.terminate();
      await end(child);
    },
  };
}

/** From "send" to "on the other screen", with so many listeners, and both bare things beside it. */
async function delivery(bench: Bench, listeners: number): Promise<Figure[]> {
  const { sql, site, keys } = bench;
  const { people, id } = await gather(bench, listeners + 1);
  const [conversation] = await sql<{ epoch: number }[]>`
    select epoch from public.conversations where id = ${id}`;
  const topic = `conversation:${id}:${conversation?.epoch}`;
  const [sender, ...others] = people;
  if (!sender) throw new Error('Nobody to send.');
  const db = clientOf(bench, sender);
  const waiting = new Map<string, (times: number[]) => void>();
  const started: ChildProcess[] = [];
  for (let from = 0; from < others.length; from += A_PROCESS) {
    const tokens = others.slice(from, from + A_PROCESS).map(({ token }) => token);
    const child = await start(LISTENERS, {
      url: site.url,
      key: keys.publishableKey,
      topic,
      tokens,
    });
    child.on('message', (said: Arrivals) => waiting.get(said.id)?.(said.times));
    started.push(child);
  }

  /** Gives when a message that is sent now arrives at each listener, counted from now. */
  async function sent(send: (id: string) => PromiseLike<unknown>): Promise<number[]> {
    const message = randomUUID();
    const times: number[] = [];
    const all = new Promise<void>((resolve) => {
      waiting.set(message, (some) => {
        times.push(...some);
        if (times.length >= listeners) resolve();
      });
    });
    const from = now();
    await Promise.all([all, send(message)]);
    waiting.delete(message);
    return times.map((time) => time - from);
  }

  const echo = await openEcho();
  const figures = { echo: [], commit: [], told: [], said: [], last: [] } as Record<
    string,
    number[]
  >;
  await sql`create table if not exists public.bench_commits (n int)`;
  try {
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const keep = (name: string, values: number[]) => round >= 0 && figures[name]?.push(...values);
      keep('echo', [await echo.ask()]);
      const from = now();
      await sql`insert into public.bench_commits values (${round})`;
      keep('commit', [now() - from]);
      // What the database alone can do: one message to one channel.
      keep(
        'told',
        await sent(
          (message) =>
            sql`select realtime.send(${sql.json({ message: { id: message } })}, 'message', ${topic})`,
        ),
      );
      // The limit of messages a minute is not what is measured.
      await sql`delete from public.rate_limits where key like ${`message%${sender.id}`}`;
      const said = await sent(async (message) => {
        const { error } = await db.rpc('send_message', {
          p_id: message,
          p_conversation_id: id,
          p_body: 'On the other screen. '.repeat(10),
        });
        if (error) throw new Error(error.message);
      });
      keep('said', said);
      keep('last', [Math.max(...said)]);
      await pause(Math.random() * 10);
    }
  } finally {
    await echo.close();
    for (const child of started) await end(child);
    await sql`drop table public.bench_commits`;
  }
  const { echo: echoes = [], commit = [], told = [], said = [], last = [] } = figures;
  return [
    ...spread('bare websocket, there and back', echoes),
    ...spread('bare commit of one row', commit),
    ...spread('realtime.send to screen', told),
    ...spread('send_message to screen', said),
    ...(listeners > 1 ? spread('send_message to the last screen', last) : []),
    {
      what: 'send_message to both bare ones, median',
      value: median(said) / (median(echoes) + median(commit)),
      unit: 'times',
    },
  ];
}

/** Seconds of processor time that a process has used, from its `stat`; times are in hundredths. */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

async function memory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0);
}

/** What the server and those database processes that stay use while nobody does anything. */
async function idle(bench: Bench, milliseconds: number): Promise<number> {
  const owner = JSON.parse(await readFile(path.join(bench.dataDir, 'owner.json'), 'utf8'));
  const backends = await bench.sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  const pids = [Number(owner.pid), ...backends.map(({ pid }) => pid)];
  const used = async () =>
    (await Promise.all(pids.map(processorTime))).reduce((sum, one) => sum + one, 0);
  const before = await used();
  await pause(milliseconds);
  return ((await used()) - before) * (60_000 / milliseconds);
}

/** What open connections cost, and how soon those end that lost their permission. */
async function connections(bench: Bench): Promise<Figure[]> {
  const { sql, keys, site } = bench;
  const owner = JSON.parse(await readFile(path.join(bench.dataDir, 'owner.json'), 'utf8'));
  const figures: Figure[] = [];
  const people = await createTokenHolders(
    { sql, keys, siteUrl: site.url },
    Math.max(...CONNECTIONS, SWEPT),
  );
  const hold = (count: number) =>
    start(HOLDERS, {
      url: site.url,
      key: keys.publishableKey,
      people: people.slice(0, count),
    });

  // What the first connection alone costs is not what one more costs.
  await end(await hold(10));
  const memoryBefore = await memory(owner.pid);
  const cpuBefore = await idle(bench, WATCHED);
  figures.push({ what: 'processor a minute, no connection', value: cpuBefore * 1_000, unit: 'ms' });
  for (const count of CONNECTIONS) {
    const joiningFrom = now();
    const child = await hold(count);
    figures.push({
      what: `${count} connections with two channels each join in`,
      value: (now() - joiningFrom) / 1_000,
      unit: 's',
    });
    const quiet = await idle(bench, WATCHED);
    const after = await memory(owner.pid);
    let writing = true;
    const writer = (async () => {
      while (writing) {
        await sql`select txid_current()`;
        await pause(500);
      }
    })();
    const busy = await idle(bench, WATCHED / 2);
    writing = false;
    await writer;
    figures.push(
      { what: `memory of one of ${count}`, value: (after - memoryBefore) / count, unit: 'kB' },
      {
        what: `processor a minute with ${count}, nothing written`,
        value: (quiet - cpuBefore) * 1_000,
        unit: 'ms',
      },
      {
        what: `processor a minute with ${count}, written to all the time`,
        value: (busy - cpuBefore) * 1_000,
        unit: 'ms',
      },
    );
    await end(child);
  }

  figures.push(await sweep(bench, people.slice(0, SWEPT), await hold(SWEPT)));
  return figures;
}

/** How soon channels end that have lost their permission, at whatever moment: the slowest of some. */
async function sweep({ sql }: Bench, people: TokenHolder[], holder: ChildProcess): Promise<Figure> {
  const ended = new Set<string>();
  let heard = () => {};
  holder.on('message', ({ ended: id }: { ended?: string }) => {
    if (id) ended.add(id);
    heard();
  });
  const took: number[] = [];
  const share = Math.floor(people.length / (SWEEPS + 1));
  for (let round = 0; round < SWEEPS; round += 1) {
    const some = people.slice(round * share, (round + 1) * share).map(({ id }) => id);
    await pause(Math.random() * 3_000);
    const all = new Promise<void>((resolve) => {
      heard = () => some.every((id) => ended.has(id)) && resolve();
    });
    const from = now();
    await sql`delete from auth.sessions where user_id in ${sql(some)}`;
    await all;
    took.push((now() - from) / 1_000);
  }
  await end(holder);
  return {
    what: `${share} of ${people.length} connections lose their session: the last one ends after`,
    value: Math.max(...took),
    unit: 's',
    budget: SWEPT_WITHIN_S,
  };
}

/** Messages of a conversation until there are so many, all of them read. */
async function fill(sql: Sql, id: string, authors: string[], count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe('alter table public.messages disable trigger user');
    await tx`
      insert into public.messages (id, conversation_id, seq, revision, author_id, body, sent_at)
      select gen_random_uuid(), ${id}, n, n, (${tx.json(authors)}::jsonb ->> (n % 2)::int)::uuid,
        'Message ' || n || '. ' || repeat('Some words of it. ', 8),
        now() - make_interval(secs => ${count} - n)
      from generate_series(1::bigint, ${count}) n`;
    await tx.unsafe('alter table public.messages enable trigger user');
    await tx`
      update public.conversations set last_seq = ${count}, revision = ${count}, last_message_at = now()
      where id = ${id}`;
    await tx`
      update public.conversation_participants set read_seq = ${count}, active_at = now()
      where conversation_id = ${id}`;
  });
}

/** Opening a long conversation and a short one, in turns. */
async function opening(bench: Bench): Promise<Figure[]> {
  const { sql, keys, site } = bench;
  const people = await createTokenHolders({ sql, keys, siteUrl: site.url }, 3);
  await sql`
    insert into public.business_members (business_id, user_id, role)
    select ${BAKERY}, (value ->> 'id')::uuid, 'member'
    from jsonb_array_elements(${sql.json(people as never)})`;
  const [reader, ...others] = people;
  if (!reader) throw new Error('Nobody to read.');
  const db = clientOf(bench, reader);
  const ids: string[] = [];
  for (const [n, other] of others.entries()) {
    const id = randomUUID();
    const { error } = await db.rpc('open_conversation', {
      p_id: id,
      p_kind: 'direct',
      p_subject: other.id,
    });
    if (error) throw new Error(error.message);
    await fill(sql, id, [reader.id, other.id], n === 0 ? SHORT : LONG);
    ids.push(id);
  }
  await sql`vacuum analyze`;
  const took: number[][] = [[], []];
  for (let round = -WARM_UP; round < OPENINGS; round += 1) {
    for (const [n, id] of ids.entries()) {
      const from = now();
      const { data, error } = await db.rpc('get_conversation', { p_id: id });
      if (error || data?.messages?.length !== 50) throw new Error(error?.message ?? 'No messages');
      if (round >= 0) took[n]?.push(now() - from);
    }
  }
  const [few = [], many = []] = took;
  return [
    { what: `${SHORT} messages`, value: median(few), unit: 'ms' },
    { what: `${LONG.toLocaleString('en-US')} messages`, value: median(many), unit: 'ms' },
    { what: 'many to few', value: median(many) / median(few), unit: 'times', budget: TIMES },
  ];
}

/** Starts the site on a data folder of this run. */
async function open(
  dataDir: string,
  settings: Record<string, string>,
): Promise<Bench & { close(): Promise<void> }> {
  const site = await startSite({ ...settings, DATA_DIR: dataDir });
  const database = await findRunningPostgres(dataDir);
  if (!database) throw new Error('The database of the site does not run.');
  const sql = connect(database, 1);
  return {
    ...{ site, dataDir, sql, keys: await loadKeys(dataDir) },
    async close() {
      for (const child of [...children]) child.kill();
      await sql.end();
      await site.stop();
    },
  };
}

/** Messages from "send" to "on the other screen", what open connections cost, and long conversations. */
export const realtime: BenchPart = async ({ scratch, settings, print }) => {
  const dataDir = path.join(scratch, 'realtime');
  const groups: Record<string, Figure[]> = {};
  const show = (title: string, figures: Figure[]) => {
    groups[title] = figures;
    print(title, figures);
  };
  const bench = await open(dataDir, settings);
  try {
    show(`From send to screen, ${FEW} listener`, await delivery(bench, FEW));
    show(`From send to screen, ${MANY} listeners`, await delivery(bench, MANY));
    show('Opening a conversation over REST', await opening(bench));
  } finally {
    await bench.close();
  }
  // Anew, because a process that has worked has memory in hand, and what it holds costs nothing then.
  const fresh = await open(dataDir, settings);
  try {
    show('Open connections', await connections(fresh));
  } finally {
    await fresh.close();
  }
  return groups;
};
