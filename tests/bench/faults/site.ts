/** The site under test, which keeps its URL and data folder across restarts. */
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import type { Sql } from 'postgres';
import { loadKeys } from '#backend/local/keys.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { type SiteProcess, startSite } from '../../e2e/support/site-process.ts';
import { connect } from '../../fixtures/connection.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';
import type { TokenHolder } from '../../fixtures/token-holders.ts';
import { createMembers, createProject, openConversation } from '../site.ts';

/** Where people write: a site that may be down, and records of the demo business. */
export interface Target {
  url: string;
  key: string;
  conversation: string;
  project: string;
}

export interface HurtSite {
  target: Target;
  people: TokenHolder[];
  dataDir: string;
  /** The current process. */
  process(): SiteProcess;
  /** Restarts it after it exited. */
  start(): Promise<void>;
  /** Queries the database on a separate connection, bypassing the site. */
  ask<Result>(question: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Waits until /healthz says ok; returns how long that took, in ms. */
  healthy(): Promise<number>;
}

/** Queries a running site's database on a separate connection. */
export async function askDatabase<Result>(
  dataDir: string,
  question: (sql: Sql) => Promise<Result>,
  databaseUrl = '',
): Promise<Result> {
  const url = databaseUrl || (await findRunningPostgres(dataDir));
  if (!url) throw new Error('The database of the site does not run.');
  const sql = connect(url, 1);
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Waits until a condition holds; returns how long that took, in ms. */
export async function until(isSo: () => Promise<boolean>, patience = 60_000): Promise<number> {
  const from = performance.now();
  while (!(await isSo())) {
    if (performance.now() - from > patience) throw new Error(`Not within ${patience} ms`);
    await wait(20);
  }
  return performance.now() - from;
}

/** Starts it with demo data, writers, and rate limits high enough that no one reaches them. */
export async function openHurtSite(
  dataDir: string,
  settings: Record<string, string>,
  writers: number,
): Promise<HurtSite> {
  const port = await getPort({ host: '127.0.0.1' });
  const env = { ...settings, DATA_DIR: dataDir, PORT: String(port) };
  let site = await startSite(env);
  const { url } = site;
  const keys = await loadKeys(dataDir);
  const ask: HurtSite['ask'] = (question) => askDatabase(dataDir, question, settings.DATABASE_URL);

  const { people, conversation, project } = await ask(async (sql) => {
    await raiseLimits(sql, 'all');
    await sql`update private.row_ceilings set most = 10000000`;
    const bench = { site, dataDir, sql, keys };
    const { people, first } = await createMembers(bench, writers);
    const project = await createProject(bench, 'What is written while things die');
    const conversation = await openConversation(bench, first, 'project', project);
    return { people, project, conversation };
  });

  return {
    target: { url, key: keys.publishableKey, conversation, project },
    people,
    dataDir,
    process: () => site,
    async start() {
      site = await startSite(env);
    },
    ask,
    healthy: () =>
      until(async () => {
        const signal = AbortSignal.timeout(5_000);
        const answer = await fetch(`${url}/healthz`, { signal }).catch(() => undefined);
        await answer?.arrayBuffer();
        return answer?.status === 200;
      }),
  };
}
