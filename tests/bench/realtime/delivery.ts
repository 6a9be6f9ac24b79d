import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { raiseLimits } from '../../fixtures/raise-limits.ts';
import type { TokenHolder } from '../../fixtures/token-holders.ts';
import { type Figure, figure, median, spread } from '../report.ts';
import {
  type Bench,
  clientOf,
  createMembers,
  createProject,
  now,
  openConversation,
  WARM_UP,
} from '../site.ts';
import { end, type Said, start } from './children.ts';

/** Messages per measurement, after a warm-up. */
const ROUNDS = 100;
/** Listeners per process; more would wait for each other instead of the server. */
const A_PROCESS = 50;

/** Times a round trip over a bare local socket to another process, as a baseline. */
async function openEcho(bench: Bench) {
  const { child, port } = await start({ kind: 'echo', url: bench.site.url, key: '' });
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(socket, 'open');
  return {
    async there() {
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

/** Starts listeners to one topic in separate processes, and times messages to all of them. */
async function openListeners({ site, keys }: Bench, topic: string, people: TokenHolder[]) {
  const waiting = new Map<string, (times: number[]) => void>();
  const arrived = (said: Said) => {
    if ('times' in said) waiting.get(said.id)?.(said.times);
  };
  const children: ChildProcess[] = [];
  for (let from = 0; from < people.length; from += A_PROCESS) {
    const some = people.slice(from, from + A_PROCESS);
    const work = { kind: 'listen' as const, url: site.url, key: keys.publishableKey, topic };
    children.push((await start({ ...work, people: some }, arrived)).child);
  }
  return {
    /** Sends a message, and returns how long it took to arrive at each listener. */
    async time(send: (id: string) => PromiseLike<unknown>): Promise<number[]> {
      const message = randomUUID();
      const times: number[] = [];
      const all = new Promise<void>((resolve) => {
        waiting.set(message, (some) => {
          times.push(...some);
          if (times.length >= people.length) resolve();
        });
      });
      const from = now();
      await Promise.all([all, send(message)]);
      waiting.delete(message);
      return times.map((time) => time - from);
    },
    async close() {
      for (const child of children) await end(child);
    },
  };
}

/** The time from "send" to "on the other screen" for `count` listeners, with two baselines. */
export async function measureDelivery(
  bench: Bench,
  count: number,
  budget: number,
): Promise<Figure[]> {
  const { sql } = bench;
  const { first: sender, others } = await createMembers(bench, count + 1);
  const project = await createProject(bench, `For ${count + 1}`);
  const id = await openConversation(bench, sender, 'project', project);
  const [conversation] = await sql<{ epoch: number }[]>`
    select epoch from public.conversations where id = ${id}`;
  const topic = `conversation:${id}:${conversation?.epoch}`;
  const db = clientOf(bench, sender);
  // Raised, because the rate limit isn't what's measured.
  await raiseLimits(sql, ['messages']);
  await sql`create table if not exists public.bench_commits (n int)`;
  const [listeners, echo] = [await openListeners(bench, topic, others), await openEcho(bench)];

  const tell = (message: string) =>
    sql`select realtime.send(${sql.json({ message: { id: message } })}, 'message', ${topic})`;
  const send = async (message: string) => {
    const body = 'On the other screen. '.repeat(10);
    const words = { p_id: message, p_conversation_id: id, p_body: body };
    const { error } = await db.rpc('send_message', words);
    if (error) throw new Error(error.message);
  };
  const echoes: number[] = [];
  const commits: number[] = [];
  const told: number[] = [];
  const said: number[] = [];
  const last: number[] = [];
  try {
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const bare = await echo.there();
      const from = now();
      await sql`insert into public.bench_commits values (${round})`;
      const commit = now() - from;
      // A baseline for the database alone: one message to one channel.
      const byDatabase = await listeners.time(tell);
      const byPerson = await listeners.time(send);
      // A random pause, so that rounds don't synchronize with the server's own timers.
      await pause(Math.random() * 10);
      if (round < 0) continue;
      echoes.push(bare);
      commits.push(commit);
      told.push(...byDatabase);
      said.push(...byPerson);
      last.push(Math.max(...byPerson));
    }
  } finally {
    await echo.close();
    await listeners.close();
    await sql`drop table public.bench_commits`;
  }
  const toBare = median(said) / (median(echoes) + median(commits));
  return [
    ...spread('bare websocket, there and back', echoes),
    ...spread('bare commit of one row', commits),
    ...spread('realtime.send to screen', told),
    ...spread('send_message to screen', said, budget),
    ...(count > 1 ? spread('send_message to the last screen', last) : []),
    figure('send_message to both bare ones, median', toBare, 'times'),
  ];
}
