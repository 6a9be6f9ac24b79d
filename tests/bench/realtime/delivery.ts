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

/** Messages of each measurement, after some to warm up. */
const ROUNDS = 100;
/** Listeners of one process: more would wait for each other and not for the server. */
const A_PROCESS = 50;

/** A round trip over a bare socket of this machine, to a process of its own. */
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

/** Listeners of one topic in processes of their own, and a way to time a message to all of them. */
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
    /** When a message that is sent now arrives at each listener, counted from now. */
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

/** From "send" to "on the other screen", with so many listeners, and both bare things beside it. */
export async function measureDelivery(bench: Bench, count: number): Promise<Figure[]> {
  const { sql } = bench;
  const { first: sender, others } = await createMembers(bench, count + 1);
  const project = await createProject(bench, `For ${count + 1}`);
  const id = await openConversation(bench, sender, 'project', project);
  const [conversation] = await sql<{ epoch: number }[]>`
    select epoch from public.conversations where id = ${id}`;
  const topic = `conversation:${id}:${conversation?.epoch}`;
  const db = clientOf(bench, sender);
  // The limit of messages a minute isn't what is measured.
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
      // What the database alone can do: one message to one channel.
      const byDatabase = await listeners.time(tell);
      const byPerson = await listeners.time(send);
      // No round begins at the same moment of whatever the server does by its own clock.
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
    ...spread('send_message to screen', said),
    ...(count > 1 ? spread('send_message to the last screen', last) : []),
    figure('send_message to both bare ones, median', toBare, 'times'),
  ];
}
