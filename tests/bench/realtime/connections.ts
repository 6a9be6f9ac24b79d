import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, figure } from '../report.ts';
import { type Bench, createPeople, memoryOf, now, serverPid } from '../site.ts';
import { end, type Said, start } from './children.ts';

/** Numbers of connections whose cost is measured. */
const CONNECTIONS = [200, 1_000];
/** Milliseconds per measurement, long enough for a heartbeat and a run of the schedule. */
const WATCHED = 60_000;
/** The interval between writes during it, in milliseconds. */
const WRITTEN_EACH = 500;
/** With this many connections, any that loses its permission must be closed within this time. */
const SWEPT = 500;
const SWEPT_WITHIN_S = 5;
const SWEEPS = 4;

/** CPU seconds that a process has used, from `/proc/<pid>/stat`, which counts hundredths. */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** CPU seconds that the server and its existing database processes use over a period. */
async function idle({ sql }: Bench, server: number, milliseconds: number): Promise<number> {
  const backends = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  const pids = [server, ...backends.map(({ pid }) => pid)];
  const used = async () =>
    (await Promise.all(pids.map(processorTime))).reduce((sum, one) => sum + one, 0);
  const before = await used();
  await pause(milliseconds);
  return ((await used()) - before) * (60_000 / milliseconds);
}

/** What open connections cost, and how soon they're closed after losing permission. */
export async function measureConnections(bench: Bench): Promise<Figure[]> {
  const { sql, keys, site } = bench;
  const pid = await serverPid(bench);
  const people = await createPeople(bench, Math.max(...CONNECTIONS, SWEPT));
  const hold = (count: number, onSaid?: (said: Said) => void) => {
    const some = people.slice(0, count);
    return start({ kind: 'hold', url: site.url, key: keys.publishableKey, people: some }, onSaid);
  };

  // Warm up with a few connections, because the first one costs more than each further one.
  await end((await hold(10)).child);
  const memoryBefore = await memoryOf(pid);
  const cpuBefore = await idle(bench, pid, WATCHED);
  const figures = [figure('processor a minute, no connection', cpuBefore * 1_000, 'ms')];
  const more = (what: string, cpu: number) => figure(what, (cpu - cpuBefore) * 1_000, 'ms');
  for (const count of CONNECTIONS) {
    const joiningFrom = now();
    const { child } = await hold(count);
    const joining = (now() - joiningFrom) / 1_000;
    const quiet = await idle(bench, pid, WATCHED);
    const ofOne = ((await memoryOf(pid)) - memoryBefore) / count;
    const writer = setInterval(() => void sql`select txid_current()`.execute(), WRITTEN_EACH);
    const busy = await idle(bench, pid, WATCHED / 2);
    clearInterval(writer);
    figures.push(
      figure(`${count} connections with two channels each join in`, joining, 's'),
      figure(`memory of one of ${count}`, ofOne, 'kB'),
      more(`processor a minute with ${count}, nothing written`, quiet),
      more(`processor a minute with ${count}, written to all the time`, busy),
    );
    await end(child);
  }
  figures.push(
    await sweep(
      bench,
      people.slice(0, SWEPT).map(({ id }) => id),
      hold,
    ),
  );
  return figures;
}

/** How soon channels are closed after losing permission at random moments: the slowest. */
async function sweep(
  { sql }: Bench,
  people: string[],
  hold: (count: number, onSaid: (said: Said) => void) => ReturnType<typeof start>,
): Promise<Figure> {
  const ended = new Set<string>();
  let look = () => {};
  const { child } = await hold(people.length, (said) => {
    if ('ended' in said) ended.add(said.ended);
    look();
  });
  const took: number[] = [];
  const share = Math.floor(people.length / (SWEEPS + 1));
  for (let round = 0; round < SWEEPS; round += 1) {
    const some = people.slice(round * share, (round + 1) * share);
    // Start at a random point in the server's check interval.
    await pause(Math.random() * 3_000);
    const all = new Promise<void>((resolve) => {
      look = () => some.every((id) => ended.has(id)) && resolve();
    });
    const from = now();
    await sql`delete from auth.sessions where user_id in ${sql(some)}`;
    await all;
    took.push((now() - from) / 1_000);
  }
  await end(child);
  const what = `${share} of ${people.length} connections lose their session: the last one ends after`;
  return figure(what, Math.max(...took), 's', SWEPT_WITHIN_S);
}
