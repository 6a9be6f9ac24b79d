/** Steps of coaching that people other than the one in the test take, straight in the database. */
import type { TransactionSql } from 'postgres';
import { hoursFromNow } from '../../fixtures/coaching.ts';
import { asPerson } from '../../fixtures/database.ts';
import type { Site } from './harness.ts';
import type { Pair } from './pair.ts';

type Database = Pick<Site, 'sql'>;

/** Runs statements as the pair's coach. */
export const asCoach = <Result>(
  { sql }: Database,
  { coach }: Pair,
  fn: (tx: TransactionSql) => Promise<Result>,
): Promise<Result> => asPerson(sql, { userId: coach.id, email: coach.email }, fn);

/** The coach says yes. */
export const acceptClient = (site: Database, pair: Pair) =>
  asCoach(site, pair, (tx) => tx`select accept_client(${pair.engagementId})`);

/** The coach offers times, so many hours from now. */
export const offerTimes = (site: Database, pair: Pair, hours: number[]) =>
  asCoach(
    site,
    pair,
    (tx) => tx`select offer_times(
      ${crypto.randomUUID()}, ${pair.engagementId}, ${hours.map(hoursFromNow)}, 'America/Denver',
      60, 'online', 'https://meet.example/carl')`,
  );

/** The coach schedules a session, so many hours from now; returns its id. */
export async function scheduleSession(site: Database, pair: Pair, hours: number): Promise<string> {
  const id = crypto.randomUUID();
  await asCoach(
    site,
    pair,
    (tx) => tx`select schedule_session(
      ${id}, ${pair.engagementId}, ${hoursFromNow(hours)}, 'America/Denver', 60, 'online',
      'https://meet.example/carl')`,
  );
  return id;
}

export interface HeldSession {
  id?: string;
  hoursAgo?: number;
  topics?: string[];
  summary?: string;
  actions?: { body: string; doer: 'owner' | 'coach'; due_on?: string | null; area_key?: string }[];
}

/** The coach writes up a session that took place; returns its id. */
export async function holdSession(
  site: Database,
  pair: Pair,
  { hoursAgo = 2, actions = [], ...said }: HeldSession = {},
): Promise<string> {
  const id = said.id ?? crypto.randomUUID();
  const session = {
    starts_at: hoursFromNow(-hoursAgo),
    time_zone: 'America/Denver',
    minutes: 60,
    kind: 'online',
    outcome: 'completed',
    topics: said.topics ?? ['sales-marketing'],
    summary: said.summary ?? 'We went through where your leads come from.',
    note: 'A private thought.',
    actions: actions.map((action) => ({
      due_on: null,
      area_key: null,
      tool_slug: null,
      focus_area_id: null,
      ...action,
      id: crypto.randomUUID(),
    })),
    figures: null,
    next: null,
  };
  await asCoach(
    site,
    pair,
    (tx) => tx`select close_session(${id}, ${pair.engagementId}, ${tx.json(session)})`,
  );
  return id;
}

/** The coach recommends a tool (by its slug) or a project (by a title), with a note. */
export const recommend = (
  site: Database,
  pair: Pair,
  what: { tool: string } | { project: string },
  note = '',
) =>
  asCoach(
    site,
    pair,
    (tx) => tx`select recommend(
      ${crypto.randomUUID()}, ${pair.engagementId}, ${'tool' in what ? 'tool' : 'project'},
      ${'tool' in what ? what.tool : null}, ${'project' in what ? what.project : null},
      'sales-marketing', ${note})`,
  );
