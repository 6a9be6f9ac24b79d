/** The site under test, and its users. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Sql } from 'postgres';
import { idOf } from '#backend/local/demo/builders.ts';
import { type Keys, loadKeys } from '#backend/local/keys.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { encodeSession } from '#lib/session-cookie.ts';
import { type SiteProcess, startSite } from '../e2e/support/site-process.ts';
import { connect } from '../fixtures/connection.ts';
import { createTokenHolders, holdTokens, type TokenHolder } from '../fixtures/token-holders.ts';

/** Warm-up rounds, which aren't counted. */
export const WARM_UP = 15;

/** The business of the demo owner, and one of its projects. */
export const BAKERY = idOf('business Delgado Bakery');
export const FORECAST = idOf('project A cash forecast we update every Friday');

/** Fractional milliseconds since 1970, comparable between processes on this machine. */
export const now = (): number => performance.timeOrigin + performance.now();

export interface Bench {
  site: Pick<SiteProcess, 'url'>;
  dataDir: string;
  sql: Sql;
  keys: Keys;
}

/** Starts the site with a data folder of this run. */
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
      await sql.end();
      await site.stop();
    },
  };
}

/** The process id of the site under test. */
export async function serverPid({ dataDir }: Pick<Bench, 'dataDir'>): Promise<number> {
  const { pid }: { pid: number } = JSON.parse(
    await readFile(path.join(dataDir, 'owner.json'), 'utf8'),
  );
  return pid;
}

/** The memory that a process has in use (its resident set), in kB. Linux only. */
export async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0);
}

/** Processor time that the server and its database have used so far, in ms. Linux only. */
export async function processorTimeOf(
  serverPid: number,
): Promise<{ node: number; postgres: number }> {
  const database = await descendantsOf(serverPid);
  const times = await Promise.all(database.map(timeOf));
  return { node: await timeOf(serverPid), postgres: times.reduce((sum, each) => sum + each, 0) };
}

async function descendantsOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

/** In ms: the kernel counts user and system time in hundredths of a second, proc_pid_stat(5). */
async function timeOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, in parentheses, may contain spaces.
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')'))
    .split(' ')
    .slice(12, 14)
    .map(Number);
  return (user + system) * 10;
}

/** The cookies of a demo person with a new session. */
export async function cookieOf({ sql, keys, site }: Bench, email: string): Promise<string> {
  const people = await sql<{ id: string }[]>`select id from auth.users where email = ${email}`;
  const holders = await holdTokens(
    { sql, keys, siteUrl: site.url },
    people.map(({ id }) => id),
  );
  const [{ token = '' } = {}] = holders;
  const session = {
    access_token: token,
    refresh_token: 'not-used',
    expires_at: Math.floor(Date.now() / 1000) + 3_600,
  };
  return encodeSession(session)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

/** An unmodified supabase-js client for a token's holder. */
export function clientOf({ site, keys }: Bench, { id, token }: TokenHolder): SupabaseClient {
  return createClient(site.url, keys.publishableKey, {
    accessToken: async () => token,
    auth: { storageKey: id },
  });
}

/** Creates signed-in people. */
export function createPeople({ sql, keys, site }: Bench, count: number): Promise<TokenHolder[]> {
  return createTokenHolders({ sql, keys, siteUrl: site.url }, count);
}

/** Creates signed-in members of the bakery. */
export async function createMembers(bench: Bench, count: number) {
  const { sql } = bench;
  const people = await createPeople(bench, count);
  const [first, ...others] = people;
  if (!first) throw new Error('Nobody was made a member.');
  await sql`
    insert into public.business_members (business_id, user_id, role)
    select ${BAKERY}, (value ->> 'id')::uuid, 'member'
    from jsonb_array_elements(${sql.json(people as never)})`;
  return { people, first, others };
}

/** Opens a conversation as one of them; returns its id. */
export async function openConversation(
  bench: Bench,
  opener: TokenHolder,
  kind: 'direct' | 'project',
  subject: string,
): Promise<string> {
  const id = randomUUID();
  const asked = { p_id: id, p_kind: kind, p_subject: subject };
  const { error } = await clientOf(bench, opener).rpc('open_conversation', asked);
  if (error) throw new Error(error.message);
  return id;
}

/** Creates a project of the bakery for its members to talk about; returns its id. */
export async function createProject({ sql }: Bench, title: string): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into public.projects (id, business_id, title, outcome, status)
    values (${id}, ${BAKERY}, ${title}, 'Made for the bench', 'draft')`;
  return id;
}
