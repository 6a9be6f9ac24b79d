/** People who write and read while something dies, and a ledger of what they were told. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { TokenHolder } from '../../fixtures/token-holders.ts';

/** Where they write: a site that may be away, and things of the demo business. */
export interface Target {
  url: string;
  key: string;
  conversation: string;
  project: string;
}

/** A request is given up after this long, in ms; one that needs more than `PATIENCE` counts as hung. */
const GIVEN_UP = 30_000;
/** The longest that an answer may take, in ms. */
export const PATIENCE = 10_000;
/** A pause after a request that failed, in ms; the browser's outbox waits longer. */
const PAUSE = 100;

/** What was written and what came of it. */
export interface Ledger {
  /** Writes that were answered with success: id and table. */
  stored: Map<string, Kind>;
  /** Writes that never got an answer before the end, which may be there or not. */
  open: Set<string>;
  /** How often each status came; 0 is a connection that broke or was refused. */
  statuses: Map<number, number>;
  /** Refusals that no retry helps: what the test itself does wrong, so there must be none. */
  refused: string[];
  /** The longest answer in ms, and how many took longer than `PATIENCE`. */
  longest: number;
  hung: string[];
  /** Answers of 500 and above in which something of the inside is named. */
  leaks: string[];
}

type Kind = 'messages' | 'project_updates' | 'project_tasks' | 'storage';

/** What no answer may name. */
const INSIDE = /127\.0\.0\.1|ECONN|postgres|supabase_admin|\bat .*\.(ts|js):\d+|port \d+/i;

export interface Load {
  ledger: Ledger;
  /** Stops beginning; what is under way gets its answer. */
  stop(): Promise<Ledger>;
}

function writeOf(kind: Kind, id: string, target: Target): { path: string; body: unknown }[] {
  const { conversation, project } = target;
  const rpc = (name: string, body: unknown) => ({ path: `/rest/v1/rpc/${name}`, body });
  if (kind === 'messages') {
    return [
      rpc('send_message', { p_id: id, p_conversation_id: conversation, p_body: `Words ${id}` }),
    ];
  }
  if (kind === 'project_updates') {
    return [rpc('add_project_update', { p_id: id, p_project_id: project, p_body: `Words ${id}` })];
  }
  if (kind === 'project_tasks') {
    return [rpc('add_project_task', { p_id: id, p_project_id: project, p_title: `Task ${id}` })];
  }
  const file = { p_id: id, p_conversation_id: conversation, p_name: `${id}.txt` };
  return [
    rpc('begin_message_file', { ...file, p_type: 'text/plain', p_size: id.length }),
    { path: `/storage/v1/object/message-files/${conversation}/${id}`, body: id },
    rpc('finish_message_file', { p_id: id }),
  ];
}

/** What a share of the writes is. */
const KINDS: Kind[] = [
  'messages',
  'messages',
  'project_updates',
  'project_tasks',
  'messages',
  'storage',
];

/**
 * Starts so many writers and readers. A writer sends the same write with the same id until it is
 * answered, as the browser's outbox does.
 */
export function startLoad(
  target: Target,
  people: TokenHolder[],
  counts: { writers: number; readers: number },
): Load {
  const ledger: Ledger = {
    stored: new Map(),
    open: new Set(),
    statuses: new Map(),
    refused: [],
    longest: 0,
    hung: [],
    leaks: [],
  };
  let stopping = false;
  const personOf = (n: number) => {
    const person = people[n % people.length];
    if (!person) throw new Error('A load needs people.');
    return person;
  };

  async function ask(
    path: string,
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<{ status: number; text: string }> {
    const from = performance.now();
    try {
      const signal = AbortSignal.timeout(GIVEN_UP);
      const answer = await fetch(target.url + path, { ...init, signal, redirect: 'manual' });
      const text = await answer.text();
      count(answer.status, path, performance.now() - from);
      if (answer.status >= 500 && INSIDE.test(text)) ledger.leaks.push(text.slice(0, 300));
      return { status: answer.status, text };
    } catch {
      count(0, path, performance.now() - from);
      return { status: 0, text: '' };
    }
  }

  function count(status: number, path: string, took: number): void {
    ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1);
    ledger.longest = Math.max(ledger.longest, took);
    if (took > PATIENCE) ledger.hung.push(`${path} ${Math.round(took)} ms (${status})`);
  }

  async function send(kind: Kind, id: string, person: TokenHolder): Promise<void> {
    ledger.open.add(id);
    for (const { path, body } of writeOf(kind, id, target)) {
      const isFile = path.startsWith('/storage/');
      for (;;) {
        const { status, text } = await ask(path, {
          method: 'POST',
          headers: {
            apikey: target.key,
            authorization: `Bearer ${person.token}`,
            'content-type': isFile ? 'text/plain' : 'application/json',
          },
          body: isFile ? String(body) : JSON.stringify(body),
        });
        if (status >= 200 && status < 300) break;
        // The answer to an earlier try was lost; whether the file is whole, the next step says.
        if (isFile && /Duplicate|already exists/i.test(text)) break;
        if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
          ledger.refused.push(`${path}: ${status} ${text.slice(0, 200)}`);
          return;
        }
        if (stopping) return;
        await wait(PAUSE);
      }
    }
    ledger.open.delete(id);
    ledger.stored.set(id, kind);
  }

  async function write(n: number): Promise<void> {
    for (let turn = n; !stopping; turn += 1) {
      await send(KINDS[turn % KINDS.length] ?? 'messages', randomUUID(), personOf(n));
    }
  }

  async function read(n: number): Promise<void> {
    const person = personOf(n);
    const headers = { apikey: target.key, authorization: `Bearer ${person.token}` };
    const paths = [
      `/rest/v1/projects?select=id,title&id=eq.${target.project}`,
      '/',
      '/rest/v1/rpc/get_quiz',
      '/auth/v1/user',
      `/rest/v1/messages?select=id,body&conversation_id=eq.${target.conversation}&order=seq.desc&limit=20`,
    ];
    for (let turn = n; !stopping; turn += 1) {
      const { status } = await ask(paths[turn % paths.length] ?? '/', { headers });
      if (status === 0 || status >= 500) await wait(PAUSE);
    }
  }

  const running = Promise.all([
    ...Array.from({ length: counts.writers }, (_, n) => write(n)),
    ...Array.from({ length: counts.readers }, (_, n) => read(n)),
  ]);
  return {
    ledger,
    async stop() {
      stopping = true;
      await running;
      return ledger;
    },
  };
}

/** So many calls at once that ask the database, and how many of them succeeded. */
export async function callAtOnce(target: Target, person: TokenHolder, calls: number) {
  const headers = { apikey: target.key, authorization: `Bearer ${person.token}` };
  const url = `${target.url}/rest/v1/projects?select=id&id=eq.${target.project}`;
  const answers = await Promise.all(
    Array.from({ length: calls }, async () => {
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
      await answer.text();
      return answer.status;
    }).map((answer) => answer.catch(() => 0)),
  );
  return answers.filter((status) => status === 200).length;
}

/** A file that one of these people stored; nobody else gets it before it is sent. */
export async function readFile(
  target: Target,
  people: TokenHolder[],
  id: string,
): Promise<string | undefined> {
  for (const { token } of people) {
    const headers = { apikey: target.key, authorization: `Bearer ${token}` };
    const place = `/storage/v1/object/message-files/${target.conversation}/${id}`;
    const answer = await fetch(target.url + place, { headers });
    const text = await answer.text();
    if (answer.ok) return text;
  }
  return undefined;
}

/** What of a ledger the database doesn't have, and what it has more than once. */
export async function compare(sql: Sql, { stored }: Ledger) {
  const of = (kind: Kind) => [...stored].filter(([, is]) => is === kind).map(([id]) => id);
  const lost: string[] = [];
  let doubled = 0;
  const check = async (kind: Kind, found: Promise<{ word: string }[]>) => {
    const times = new Map<string, number>();
    for (const { word } of await found) times.set(word, (times.get(word) ?? 0) + 1);
    lost.push(...of(kind).filter((id) => !times.has(id)));
    doubled += [...times.values()].filter((count) => count > 1).length;
  };
  await check(
    'messages',
    sql`select substr(body, 7) as word from public.messages where body like 'Words %'`,
  );
  await check(
    'project_updates',
    sql`select substr(body, 7) as word from public.project_updates where body like 'Words %'`,
  );
  await check(
    'project_tasks',
    sql`select substr(title, 6) as word from public.project_tasks where title like 'Task %'`,
  );
  await check(
    'storage',
    sql`
      select a.id::text as word from public.message_attachments a
      join storage.objects o on o.bucket_id = 'message-files' and o.name = a.path
      where a.state = 'stored'`,
  );
  return { lost, doubled };
}
