import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { raiseLimits } from '../fixtures/raise-limits.ts';
import type { TokenHolder } from '../fixtures/token-holders.ts';
import { type Arrivals, now } from './realtime-messages.ts';
import {
  type Bench,
  clientOf,
  createMembers,
  createProject,
  end,
  median,
  openConversation,
  spread,
  start,
  WARM_UP,
} from './realtime-site.ts';
import type { Figure } from './report.ts';

/** Messages of each measurement, after some to warm up. */
const ROUNDS = 100;
/** Listeners of one process: more would wait for each other and not for the server. */
const A_PROCESS = 50;

const LISTENERS = new URL('./realtime-listener.ts', import.meta.url);

/** People who belong to the bakery, with a conversation about one of its projects. */
async function gather(bench: Bench, count: number): Promise<{ people: TokenHolder[]; id: string }> {
  const people = await createMembers(bench, count);
  const [opener] = people;
  if (!opener) throw new Error('Nobody to talk with.');
  const project = await createProject(bench, `For ${count}`);
  return { people, id: await openConversation(bench, opener, 'project', project) };
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
export async function measureDelivery(bench: Bench, listeners: number): Promise<Figure[]> {
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

  // The limit of messages a minute isn't what is measured.
  await raiseLimits(sql, ['messages']);
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
      // No round begins at the same moment of whatever the server does by its own clock.
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
