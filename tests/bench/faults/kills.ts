/** Node, the database server and one of its processes are killed; the site is stopped, under load. */
import { mkdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '#backend/local/postgres/postgres.ts';
import type { Figure, Groups } from '../report.ts';
import { callAtOnce, compare, type Ledger, type Load, PATIENCE, startLoad } from './load.ts';
import type { SeriesContext } from './series.ts';
import { type HurtSite, openHurtSite, postmasterOf } from './site.ts';

/** How much goes on while something dies. */
const LOAD = { writers: 12, readers: 6 };
/** Calls that all succeed once the site says that it's healthy. */
const AT_ONCE = 60;
/** Milliseconds of load before and after each kill; the exact moment is left to chance. */
const BETWEEN = 400;

/** What one series did, kill by kill. */
interface Series {
  /** Kills one thing and waits until the site is back; gives for how long it was away, in ms. */
  strike(site: HurtSite): Promise<number>;
  /** Starts what the site needs beside it. */
  open?(dataDir: string): Promise<{ settings: Record<string, string>; close(): Promise<void> }>;
}

/** Kills the site itself, which somebody (systemd, Docker) starts again. */
const node: Series = {
  async strike(site) {
    const from = performance.now();
    await site.process().stop('SIGKILL');
    await site.start();
    await site.healthy();
    return performance.now() - from;
  },
};

/** Stops the site as systemd does; it has to end by itself. */
const stop: Series = {
  async strike(site) {
    const from = performance.now();
    await site.process().stop('SIGTERM');
    const took = performance.now() - from;
    await site.start();
    await site.healthy();
    return took;
  },
};

const postmaster: Series = {
  async strike(site) {
    const pid = await site.postmaster();
    if (!pid) throw new Error('There is no database server to kill.');
    process.kill(pid, 'SIGKILL');
    return backAgain(site);
  },
};

const backend: Series = {
  async strike(site) {
    const [row] = await site.ask(
      (sql) => sql<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        order by (state = 'active') desc, random() limit 1`,
    );
    if (!row) throw new Error('There is no connection to kill.');
    process.kill(row.pid, 'SIGKILL');
    return backAgain(site);
  },
};

/** Restarts the database of `DATABASE_URL`, as its operator does after an update. */
const restart: Series = {
  async strike(site) {
    const pid = await postmasterOf(`${site.dataDir}-database`);
    if (!pid) throw new Error('There is no database server to restart.');
    process.kill(pid, 'SIGINT');
    return backAgain(site);
  },
  async open(dataDir) {
    const folder = `${dataDir}-database`;
    await mkdir(folder, { mode: 0o711 });
    // A server that is stopped from outside is started again, as by systemd.
    const server = await startPostgres({ folder });
    return { settings: { DATABASE_URL: server.url }, close: server.stop };
  },
};

/** Waits until calls that need the database succeed; /healthz may not have noticed yet. */
async function backAgain(site: HurtSite): Promise<number> {
  const from = performance.now();
  const [person] = site.people;
  if (!person) throw new Error('Nobody asks.');
  while ((await callAtOnce(site.target, person, 1)) < 1) {
    if (performance.now() - from > 60_000) throw new Error('It did not come back.');
    await wait(20);
  }
  return performance.now() - from;
}

const SERIES: Record<string, { series: Series; times: number; title: string }> = {
  node: { series: node, times: 100, title: 'The site killed under load' },
  postmaster: { series: postmaster, times: 100, title: 'The database server killed under load' },
  backend: { series: backend, times: 100, title: 'A database connection killed under load' },
  restart: {
    series: restart,
    times: 20,
    title: 'The database of DATABASE_URL restarted under load',
  },
  stop: { series: stop, times: 30, title: 'The site stopped (SIGTERM) under load' },
};

/**
 * Runs the series that are asked for, each on a site of its own.
 */
export async function kills({ scratch, settings, times, tell }: SeriesContext): Promise<Groups> {
  const groups: Groups = {};
  for (const [name, { series, times: usual, title }] of Object.entries(SERIES)) {
    const count = times(name, usual);
    if (count === 0) continue;
    const dataDir = `${scratch}/faults-${name}`;
    const beside = await series.open?.(dataDir);
    try {
      const site = await openHurtSite(dataDir, { ...settings, ...beside?.settings }, LOAD.writers);
      try {
        groups[title] = await run(site, series, count, name);
        tell(title, groups[title]);
      } finally {
        await site.process().stop('SIGKILL');
      }
    } finally {
      await beside?.close();
    }
  }
  return groups;
}

async function run(site: HurtSite, series: Series, count: number, name: string): Promise<Figure[]> {
  const load: Load = startLoad(site.target, site.people, LOAD);
  const [person] = site.people;
  const away: number[] = [];
  let short = 0;
  for (let n = 0; n < count; n += 1) {
    await wait(BETWEEN / 2 + Math.random() * BETWEEN);
    away.push(await series.strike(site));
    if (person && (await callAtOnce(site.target, person, AT_ONCE)) < AT_ONCE) short += 1;
    process.stdout.write(`\r  ${name}: ${n + 1} of ${count} `);
  }
  process.stdout.write('\n');
  await wait(BETWEEN);
  await site.healthy();
  const ledger = await load.stop();
  const { lost, doubled } = await site.ask((sql) => compare(sql, ledger));
  return figuresOf({ name, away, short, ledger, lost, doubled });
}

function figuresOf(parts: {
  name: string;
  away: number[];
  short: number;
  ledger: Ledger;
  lost: string[];
  doubled: number;
}): Figure[] {
  const { name, away, short, ledger, lost, doubled } = parts;
  const sorted = away.toSorted((a, b) => a - b);
  for (const line of [...ledger.hung, ...new Set(ledger.refused), ...new Set(ledger.leaks)].slice(
    0,
    10,
  )) {
    process.stdout.write(`  ${line}\n`);
  }
  const statuses = [...ledger.statuses].sort(([a], [b]) => a - b);
  const isStop = name === 'stop';
  const figures: Figure[] = [
    { what: 'times', value: away.length, unit: '' },
    { what: 'acknowledged writes', value: ledger.stored.size, unit: '' },
    { what: 'of them lost', value: lost.length, unit: '', budget: 0 },
    { what: 'writes that are there twice', value: doubled, unit: '', budget: 0 },
    { what: 'writes that no retry got through', value: ledger.open.size, unit: '', budget: 0 },
    { what: 'refusals that nobody expected', value: ledger.refused.length, unit: '', budget: 0 },
    { what: 'answers that tell of the inside', value: ledger.leaks.length, unit: '', budget: 0 },
    { what: 'answers after 10 s or more', value: ledger.hung.length, unit: '', budget: 0 },
    { what: 'longest answer', value: ledger.longest / 1_000, unit: 's', budget: PATIENCE / 1_000 },
    {
      what: `times that not all of ${AT_ONCE} calls succeeded after it`,
      value: short,
      unit: '',
      budget: 0,
    },
    {
      what: isStop ? 'until it ended, median' : 'until it answered again, median',
      value: (sorted[sorted.length >> 1] ?? 0) / 1_000,
      unit: 's',
    },
    {
      what: isStop ? 'until it ended, longest' : 'until it answered again, longest',
      value: (sorted.at(-1) ?? 0) / 1_000,
      unit: 's',
      budget: 10,
    },
    ...statuses.map(([status, times]) => ({
      what: status === 0 ? 'broken or refused connections' : `answers with ${status}`,
      value: times,
      unit: '' as const,
    })),
  ];
  return figures;
}
