import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TokenHolder } from '../fixtures/token-holders.ts';
import { now } from './realtime-messages.ts';
import { type Bench, createPeople, end, start } from './realtime-site.ts';
import type { Figure } from './report.ts';

/** Connections whose cost is measured. */
const CONNECTIONS = [200, 1_000];
/** How long the cost is watched, in milliseconds; heartbeats and the schedule come once in it at least. */
const WATCHED = 60_000;
/** How often something is written meanwhile, in milliseconds. */
const WRITTEN_EACH = 500;
/** Of this many connections, each that loses its permission must end within this time. */
const SWEPT = 500;
const SWEPT_WITHIN_S = 5;
const SWEEPS = 4;

const HOLDERS = new URL('./realtime-holder.ts', import.meta.url);

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
export async function measureConnections(bench: Bench): Promise<Figure[]> {
  const { sql, keys, site } = bench;
  const owner = JSON.parse(await readFile(path.join(bench.dataDir, 'owner.json'), 'utf8'));
  const figures: Figure[] = [];
  const people = await createPeople(bench, Math.max(...CONNECTIONS, SWEPT));
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
    const writer = setInterval(() => void sql`select txid_current()`.execute(), WRITTEN_EACH);
    const busy = await idle(bench, WATCHED / 2);
    clearInterval(writer);
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
    // Wherever the server is in its own rounds.
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
