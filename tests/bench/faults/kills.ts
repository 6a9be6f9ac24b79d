/** Under load, kills Node, the database server or one of its processes, or stops the site. */
import { mkdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '#backend/local/postgres/postgres.ts';
import { serverPid } from '../../fixtures/connection.ts';
import type { BenchContext } from '../parts.ts';
import { figure, median, none } from '../report.ts';
import { allSucceed, Load, WRITERS } from './load.ts';
import { type HurtSite, openHurtSite, until } from './site.ts';

/** Concurrent calls that must all succeed once the site says it's healthy. */
const AT_ONCE = 60;
/** Milliseconds of load before and after each kill; the exact moment is random. */
const BETWEEN = 400;

/** Waits until calls that need the database succeed; /healthz may not have noticed the kill yet. */
const backAgain = (site: HurtSite) => until(() => allSucceed(site, 1));

async function killServer(site: HurtSite, dataDir: string, signal: NodeJS.Signals) {
  const pid = await serverPid(dataDir);
  if (!pid) throw new Error('There is no database server to kill.');
  process.kill(pid, signal);
  return backAgain(site);
}

/** Each kills one thing and waits until the site is back; returns the downtime in ms. */
const STRIKES = {
  /** The site itself, which systemd or Docker would restart. */
  async node(site: HurtSite): Promise<number> {
    const from = performance.now();
    await site.process().stop('SIGKILL');
    await site.start();
    await site.healthy();
    return performance.now() - from;
  },
  postmaster: (site: HurtSite) => killServer(site, site.dataDir, 'SIGKILL'),
  async backend(site: HurtSite): Promise<number> {
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
  /** The database at `DATABASE_URL`, as when its operator restarts it after an update. */
  restart: (site: HurtSite) => killServer(site, databaseOf(site.dataDir), 'SIGINT'),
  /** The site, stopped as systemd does; it has to exit by itself. */
  async stop(site: HurtSite): Promise<number> {
    const from = performance.now();
    await site.process().stop('SIGTERM');
    const took = performance.now() - from;
    await site.start();
    await site.healthy();
    return took;
  },
};

const TITLES: Record<keyof typeof STRIKES, string> = {
  node: 'The site killed under load',
  postmaster: 'The database server killed under load',
  backend: 'A database connection killed under load',
  restart: 'The database of DATABASE_URL restarted under load',
  stop: 'The site stopped (SIGTERM) under load',
};

const databaseOf = (dataDir: string) => `${dataDir}-database`;

/** A database outside the site. If it's stopped, it's restarted, as by systemd. */
async function openDatabase(dataDir: string) {
  await mkdir(databaseOf(dataDir), { mode: 0o711 });
  return startPostgres({ folder: databaseOf(dataDir) });
}

/** Runs one of these series on its own site. */
export const kills =
  (name: keyof typeof STRIKES) =>
  async ({ scratch, settings, show }: BenchContext, count: number): Promise<void> => {
    const dataDir = `${scratch}/faults-${name}`;
    const database = name === 'restart' ? await openDatabase(dataDir) : undefined;
    const more = database && { DATABASE_URL: database.url };
    const site = await openHurtSite(dataDir, { ...settings, ...more }, WRITERS);
    try {
      const load = new Load(site);
      const away: number[] = [];
      let short = 0;
      for (let n = 0; n < count; n += 1) {
        await wait(BETWEEN / 2 + Math.random() * BETWEEN);
        away.push((await STRIKES[name](site)) / 1_000);
        if (!(await allSucceed(site, AT_ONCE))) short += 1;
        process.stdout.write(`\r  ${name}: ${n + 1} of ${count} `);
      }
      process.stdout.write('\n');
      await wait(BETWEEN);
      await site.healthy();
      await load.stop();
      const back = name === 'stop' ? 'until it ended' : 'until it answered again';
      show(TITLES[name], [
        figure('times', count),
        ...(await load.figures()),
        none(`times that not all of ${AT_ONCE} calls succeeded after it`, short),
        figure(`${back}, median`, median(away), 's'),
        figure(`${back}, longest`, Math.max(...away), 's', 10),
      ]);
    } finally {
      await site.process().stop('SIGKILL');
      await database?.stop();
    }
  };
