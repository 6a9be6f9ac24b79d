/** The site that is measured, those who use it, and how figures are made of what they see. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Sql } from 'postgres';
import { idOf } from '#backend/local/demo/builders.ts';
import { type Keys, loadKeys } from '#backend/local/keys.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { type SiteProcess, startSite } from '../e2e/support/site-process.ts';
import { connect } from '../fixtures/connection.ts';
import { createTokenHolders, type TokenHolder } from '../fixtures/token-holders.ts';
import type { Holding, Listening } from './realtime-messages.ts';
import type { Figure } from './report.ts';

/** Rounds that are not counted yet, while everything warms up. */
export const WARM_UP = 15;

const BAKERY = idOf('business Delgado Bakery');

export interface Bench {
  site: SiteProcess;
  dataDir: string;
  sql: Sql;
  keys: Keys;
}

/** Starts the site on a data folder of this run. */
export async function openBench(
  dataDir: string,
  settings: Record<string, string>,
): Promise<Bench & { close(): Promise<void> }> {
  const site = await startSite({ ...settings, DATA_DIR: dataDir });
  const database = await findRunningPostgres(dataDir);
  if (!database) throw new Error('The database of the site does not run.');
  const sql = connect(database, 1);
  return {
    site,
    dataDir,
    sql,
    keys: await loadKeys(dataDir),
    async close() {
      for (const child of [...children]) child.kill();
      await sql.end();
      await site.stop();
    },
  };
}

const children = new Set<ChildProcess>();
/** Starts a process that hears or holds connections; it is ready when this resolves. */
export async function start(file: URL, message: Listening | Holding): Promise<ChildProcess> {
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

/** Ends such a process, as if its connections were closed. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.removeAllListeners('exit');
  child.disconnect();
  await once(child, 'exit');
  children.delete(child);
}

/** An unchanged client for whoever holds a token. */
export function clientOf({ site, keys }: Bench, { id, token }: TokenHolder): SupabaseClient {
  return createClient(site.url, keys.publishableKey, {
    accessToken: async () => token,
    auth: { storageKey: id },
  });
}

/** People who are signed in. */
export function createPeople({ sql, keys, site }: Bench, count: number): Promise<TokenHolder[]> {
  return createTokenHolders({ sql, keys, siteUrl: site.url }, count);
}

/** The same, as members of the bakery. */
export async function createMembers(bench: Bench, count: number): Promise<TokenHolder[]> {
  const { sql } = bench;
  const people = await createPeople(bench, count);
  await sql`
    insert into public.business_members (business_id, user_id, role)
    select ${BAKERY}, (value ->> 'id')::uuid, 'member'
    from jsonb_array_elements(${sql.json(people as never)})`;
  return people;
}

/** Opens a conversation as one of them; gives its id. */
export async function openConversation(
  bench: Bench,
  opener: TokenHolder,
  kind: 'direct' | 'project',
  subject: string,
): Promise<string> {
  const id = randomUUID();
  const { error } = await clientOf(bench, opener).rpc('open_conversation', {
    p_id: id,
    p_kind: kind,
    p_subject: subject,
  });
  if (error) throw new Error(error.message);
  return id;
}

/** Begins a project of the bakery that its members talk about; gives its id. */
export async function createProject({ sql }: Bench, title: string): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into public.projects (id, business_id, title, outcome, status)
    values (${id}, ${BAKERY}, ${title}, 'Made for the bench', 'draft')`;
  return id;
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b);
const at = (values: number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
export const median = (values: number[]) => at(values, 0.5);

/** The median of what was measured, and what 95 of 100 stay below. */
export function spread(what: string, values: number[]): Figure[] {
  return [
    { what: `${what}, median`, value: median(values), unit: 'ms' },
    { what: `${what}, 95 of 100`, value: at(values, 0.95), unit: 'ms' },
  ];
}
