/** Simulates people who write and read while something fails, and records their responses. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { TokenHolder } from '../../fixtures/token-holders.ts';
import { type Figure, figure, none } from '../report.ts';
import type { HurtSite, Target } from './site.ts';

/** How many people write, and how many read. */
export const WRITERS = 12;
const READERS = 6;
/** The request timeout in ms; a request that takes longer than `PATIENCE` counts as hung. */
const GIVEN_UP = 30_000;
export const PATIENCE = 10_000;
/** The pause after a failed request, in ms; the browser's outbox waits longer. */
const PAUSE = 100;
/** Internal details that no response may contain. */
const INSIDE = /127\.0\.0\.1|ECONN|postgres|supabase_admin|\bat .*\.(ts|js):\d+|port \d+/i;

type Kind = 'messages' | 'project_updates' | 'project_tasks' | 'storage';
/** The mix of writes, by kind. */
const KINDS: Kind[] = [
  'messages',
  'messages',
  'project_updates',
  'project_tasks',
  'messages',
  'storage',
];

/** The requests that make up one write. */
function requestsOf(kind: Kind, id: string, { conversation, project }: Target) {
  const rpc = (name: string, body: unknown) => ({ path: `/rest/v1/rpc/${name}`, body });
  const file = { p_id: id, p_conversation_id: conversation, p_name: `${id}.txt` };
  return {
    messages: [
      rpc('send_message', { p_id: id, p_conversation_id: conversation, p_body: `Words ${id}` }),
    ],
    project_updates: [
      rpc('add_project_update', { p_id: id, p_project_id: project, p_body: `Words ${id}` }),
    ],
    project_tasks: [
      rpc('add_project_task', { p_id: id, p_project_id: project, p_title: `Task ${id}` }),
    ],
    storage: [
      rpc('begin_message_file', { ...file, p_type: 'text/plain', p_size: id.length }),
      { path: `/storage/v1/object/message-files/${conversation}/${id}`, body: id },
      rpc('finish_message_file', { p_id: id }),
    ],
  }[kind];
}

const headersOf = ({ key }: Target, { token }: TokenHolder) => ({
  apikey: key,
  authorization: `Bearer ${token}`,
});

/**
 * Writers and readers, and the responses they got. A writer retries a write with the same id until
 * it gets a response, as the browser's outbox does.
 */
export class Load {
  /** Acknowledged writes: id and kind. */
  readonly stored = new Map<string, Kind>();
  /** Writes without a response by the end, which may or may not be stored. */
  readonly #open = new Set<string>();
  /** How often each status occurred; 0 is a broken or refused connection. */
  readonly #statuses = new Map<number, number>();
  /** Rejections that a retry can't fix: mistakes in the benchmark itself, so there must be none. */
  readonly refused: string[] = [];
  /** Responses of 500 and above that reveal internal details. */
  readonly #leaks: string[] = [];
  readonly #hung: string[] = [];
  #longest = 0;
  #isStopping = false;
  readonly #site: HurtSite;
  readonly #running: Promise<unknown>;

  constructor(site: HurtSite) {
    this.#site = site;
    const personOf = (n: number) => site.people[n % site.people.length] as TokenHolder;
    this.#running = Promise.all([
      ...Array.from({ length: WRITERS }, (_, n) => this.#write(n, personOf(n))),
      ...Array.from({ length: READERS }, (_, n) => this.#read(n, personOf(n))),
    ]);
  }

  /** Starts no more requests, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** What was lost, duplicated, rejected or slow, and a count per status. Prints some of it. */
  async figures(): Promise<Figure[]> {
    const { lost, doubled } = await this.#site.ask((sql) => compare(sql, this.stored));
    const lines = new Set([...this.#hung, ...this.refused, ...this.#leaks]);
    for (const line of [...lines].slice(0, 10)) process.stdout.write(`  ${line}\n`);
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b);
    return [
      figure('acknowledged writes', this.stored.size),
      none('of them lost', lost),
      none('writes that are there twice', doubled),
      none('writes that no retry got through', this.#open.size),
      none('refusals that nobody expected', this.refused.length),
      none('answers that tell of the inside', this.#leaks.length),
      none('answers after 10 s or more', this.#hung.length),
      figure('longest answer', this.#longest / 1_000, 's', PATIENCE / 1_000),
      ...statuses.map(([status, times]) =>
        figure(status === 0 ? 'broken or refused connections' : `answers with ${status}`, times),
      ),
    ];
  }

  async #ask(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const from = performance.now();
    const signal = AbortSignal.timeout(GIVEN_UP);
    const { status, text } = await fetch(this.#site.target.url + path, {
      ...init,
      signal,
      redirect: 'manual',
    })
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .catch(() => ({ status: 0, text: '' }));
    const took = performance.now() - from;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#longest = Math.max(this.#longest, took);
    if (took > PATIENCE) this.#hung.push(`${path} ${Math.round(took)} ms (${status})`);
    if (status >= 500 && INSIDE.test(text)) this.#leaks.push(text.slice(0, 300));
    return { status, text };
  }

  /** Retries a request until it's accepted; returns whether it was. */
  async #send(path: string, body: unknown, person: TokenHolder): Promise<boolean> {
    const isFile = path.startsWith('/storage/');
    const type = isFile ? 'text/plain' : 'application/json';
    const headers = { ...headersOf(this.#site.target, person), 'content-type': type };
    const sent = isFile ? String(body) : JSON.stringify(body);
    for (;;) {
      const { status, text } = await this.#ask(path, { method: 'POST', headers, body: sent });
      if (status >= 200 && status < 300) return true;
      // An earlier try succeeded but its response was lost; the next request checks the file.
      if (isFile && /Duplicate|already exists/i.test(text)) return true;
      if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
        this.refused.push(`${path}: ${status} ${text.slice(0, 200)}`);
        return false;
      }
      if (this.#isStopping) return false;
      await wait(PAUSE);
    }
  }

  async #write(first: number, person: TokenHolder): Promise<void> {
    for (let turn = first; !this.#isStopping; turn += 1) {
      const [kind, id] = [KINDS[turn % KINDS.length] ?? 'messages', randomUUID()];
      this.#open.add(id);
      let isTaken = true;
      for (const { path, body } of requestsOf(kind, id, this.#site.target)) {
        isTaken &&= await this.#send(path, body, person);
      }
      if (!isTaken) continue;
      this.#open.delete(id);
      this.stored.set(id, kind);
    }
  }

  async #read(first: number, person: TokenHolder): Promise<void> {
    const { target } = this.#site;
    const paths = [
      `/rest/v1/projects?select=id,title&id=eq.${target.project}`,
      '/',
      '/rest/v1/rpc/get_quiz',
      '/auth/v1/user',
      `/rest/v1/messages?select=id,body&conversation_id=eq.${target.conversation}&order=seq.desc&limit=20`,
    ];
    const headers = headersOf(target, person);
    for (let turn = first; !this.#isStopping; turn += 1) {
      const { status } = await this.#ask(paths[turn % paths.length] ?? '/', { headers });
      if (status === 0 || status >= 500) await wait(PAUSE);
    }
  }
}

/** Whether this many concurrent calls that query the database all succeed. */
export async function allSucceed({ target, people }: HurtSite, calls: number): Promise<boolean> {
  const [person] = people;
  if (!person) throw new Error('Nobody asks.');
  const url = `${target.url}/rest/v1/projects?select=id&id=eq.${target.project}`;
  const call = async () => {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(url, { headers: headersOf(target, person), signal });
    await answer.text();
    return answer.status === 200;
  };
  const answers = await Promise.all(Array.from({ length: calls }, () => call().catch(() => false)));
  return answers.every(Boolean);
}

/** A file that one of these people uploaded; only that person can read it before it's sent. */
export async function readFile(
  target: Target,
  people: TokenHolder[],
  id: string,
): Promise<string | undefined> {
  const url = `${target.url}/storage/v1/object/message-files/${target.conversation}/${id}`;
  for (const person of people) {
    const answer = await fetch(url, { headers: headersOf(target, person) });
    const text = await answer.text();
    if (answer.ok) return text;
  }
  return undefined;
}

/** How many acknowledged writes are missing from the database, or in it more than once. */
export async function compare(sql: Sql, stored: Map<string, string>) {
  const found = await sql<{ id: string; times: number }[]>`
    select id, count(*)::int as times from (
      select substr(body, 7) as id from public.messages where body like 'Words %'
      union all
      select substr(body, 7) from public.project_updates where body like 'Words %'
      union all
      select substr(title, 6) from public.project_tasks where title like 'Task %'
      union all
      select a.id::text from public.message_attachments a
      join storage.objects o on o.bucket_id = 'message-files' and o.name = a.path
      where a.state = 'stored'
    ) written group by id`;
  const ids = new Set(found.map(({ id }) => id));
  return {
    lost: [...stored.keys()].filter((id) => !ids.has(id)).length,
    doubled: found.filter(({ times }) => times > 1).length,
  };
}
