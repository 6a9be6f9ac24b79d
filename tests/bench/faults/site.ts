/** The site that is hurt, on one address and one data folder through all its lives. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import type { Sql } from 'postgres';
import postgres from 'postgres';
import { loadKeys } from '#backend/local/keys.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { type SiteProcess, startSite } from '../../e2e/support/site-process.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';
import type { TokenHolder } from '../../fixtures/token-holders.ts';
import { createMembers, createProject, openConversation } from '../realtime-site.ts';
import type { Target } from './load.ts';

export interface HurtSite {
  target: Target;
  people: TokenHolder[];
  dataDir: string;
  /** The process that runs now. */
  process(): SiteProcess;
  /** Starts it again after it ended. */
  start(): Promise<void>;
  /** The process number of the database server, when it runs. */
  postmaster(): Promise<number | undefined>;
  /** Asks the database beside the site, on a connection of its own. */
  ask<Result>(question: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Waits until /healthz says ok; gives how long that took in ms. */
  healthy(patience?: number): Promise<number>;
}

/** Asks the database of a running site, on a connection of its own. */
export async function askDatabase<Result>(
  dataDir: string,
  question: (sql: Sql) => Promise<Result>,
  databaseUrl = '',
): Promise<Result> {
  const url = databaseUrl || (await findRunningPostgres(dataDir));
  if (!url) throw new Error('The database of the site does not run.');
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The process number of the database server in a data folder, when it runs. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const file = path.join(dataDir, 'postgres/postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}

/** Starts it with demo data, people who write, and limits that one person doesn't reach. */
export async function openHurtSite(
  dataDir: string,
  settings: Record<string, string>,
  writers: number,
): Promise<HurtSite> {
  const port = await getPort({ host: '127.0.0.1' });
  const env = { ...settings, DATA_DIR: dataDir, PORT: String(port) };
  let site = await startSite(env);
  const keys = await loadKeys(dataDir);

  const ask: HurtSite['ask'] = (question) => askDatabase(dataDir, question, settings.DATABASE_URL);

  const { people, conversation, project } = await ask(async (sql) => {
    await raiseLimits(sql, 'all');
    const bench = { site, dataDir, sql, keys };
    const members = await createMembers(bench, writers);
    const [first] = members;
    if (!first) throw new Error('Nobody writes.');
    const about = await createProject(bench, 'What is written while things die');
    await sql`update private.row_ceilings set most = 10000000`;
    return {
      people: members,
      project: about,
      conversation: await openConversation(bench, first, 'project', about),
    };
  });

  const target: Target = { url: site.url, key: keys.publishableKey, conversation, project };
  return {
    target,
    people,
    dataDir,
    process: () => site,
    async start() {
      site = await startSite(env);
    },
    postmaster: () => postmasterOf(dataDir),
    ask,
    async healthy(patience = 30_000) {
      const from = performance.now();
      while (performance.now() - from < patience) {
        const answer = await fetch(`${target.url}/healthz`, {
          signal: AbortSignal.timeout(5_000),
        }).catch(() => undefined);
        await answer?.arrayBuffer();
        if (answer?.status === 200) return performance.now() - from;
        await wait(20);
      }
      throw new Error(`Not healthy within ${patience} ms.\n${site.output().slice(-2_000)}`);
    },
  };
}
