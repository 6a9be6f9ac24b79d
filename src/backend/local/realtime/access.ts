import { sql } from 'kysely';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import type { Caller } from '../gateway/lite.ts';

/** What someone may do in a channel. */
export interface Access {
  /** Hear broadcasts, see presence. */
  read: { broadcast: boolean; presence: boolean };
  write: { broadcast: boolean; presence: boolean };
}

export const EVERYTHING: Access = {
  read: { broadcast: true, presence: true },
  write: { broadcast: true, presence: true },
};

const NOTHING: Access = {
  read: { broadcast: false, presence: false },
  write: { broadcast: false, presence: false },
};

/**
 * What the database said: the session was ended, or what its person may do. `write` is null where it
 * was not asked.
 */
export type Verdict<Write = Access['write']> =
  | { session: false }
  | { session: true; access: { read: Access['read']; write: Write } };

/** A policy that failed: it neither allows nor refuses. */
export class PolicyFailed extends Error {}

export interface Doorman {
  /**
   * Asks whether a session still is one and what the policies on `realtime.messages` say about a
   * topic, the way Supabase's Realtime does: may this person select a message of it, may they insert
   * one. Whoever asks while others do shares one question with them.
   *
   * @param topic null for a public channel, where only the session counts.
   * @throws {PolicyFailed} when a policy fails, and what the driver says when nobody can be asked.
   */
  ask(caller: Caller, topic: string | null): Promise<Verdict>;
  /** The same in the background, after those who join; about writing only where that is wanted. */
  askAgain(
    caller: Caller,
    topic: string | null,
    write: boolean,
  ): Promise<Verdict<Access['write'] | null>>;
}

interface Asked {
  claims: Caller;
  topic: string | null;
  write: boolean;
  give(verdict: Verdict): void;
  fail(error: unknown): void;
}

type Answer = { read: string[]; write: string[] } | { error: string };

/** How many channels are asked about at once: some 10 ms of the database's time. */
const BATCH = 100;
/** Questions at the same time; the pool has one connection more. */
const AT_ONCE = 2;

export function createDoorman(db: Database): Doorman {
  const waiting: Asked[] = [];
  const patient: Asked[] = [];
  let asking = 0;
  let scheduled = false;

  async function put(batch: Asked[], again: boolean): Promise<void> {
    // What is asked in one name is asked in one go.
    const byClaims = new Map<string, Asked[]>();
    for (const each of batch) {
      const name = JSON.stringify(each.claims);
      byClaims.set(name, [...(byClaims.get(name) ?? []), each]);
    }
    const groups = [...byClaims.values()];
    try {
      const asked = groups.map((group) => ({
        claims: group[0]?.claims,
        topics: group.flatMap(({ topic: name, write }) => (name === null ? [] : [{ name, write }])),
      }));
      const {
        rows: [row],
      } = await sql<{ answers: { session: boolean; topics: Answer[] }[] }>`
        select realtime.access_to(${JSON.stringify(asked)}, ${again}) as answers`.execute(db);
      for (const [n, group] of groups.entries()) {
        const { session = false, topics = [] } = row?.answers[n] ?? {};
        for (const { topic, give, fail } of group) {
          const answer = topic === null ? null : session ? topics.shift() : null;
          if (!session) give({ session: false });
          else if (answer === null) give({ session: true, access: EVERYTHING });
          else if (!answer || 'error' in answer) fail(new PolicyFailed(answer?.error));
          else give({ session: true, access: accessOf(answer) });
        }
      }
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  function next(): void {
    scheduled = false;
    while (asking < AT_ONCE && waiting.length + patient.length > 0) {
      const queue = waiting.length > 0 ? waiting : patient;
      // Looking again takes turns with itself, so that whoever joins finds a connection free.
      if (queue === patient && asking > 0) return;
      asking += 1;
      void put(queue.splice(0, BATCH), queue === patient).finally(() => {
        asking -= 1;
        next();
      });
    }
  }

  function enqueue(
    queue: Asked[],
    claims: Caller,
    topic: string | null,
    write: boolean,
  ): Promise<Verdict> {
    // Without a session and a topic there is nothing that the database knows better.
    if (topic === null && typeof claims.session_id !== 'string') {
      return Promise.resolve({ session: true, access: EVERYTHING });
    }
    // No text of PostgreSQL holds these: the question would fail for everyone who asks with them.
    if (topic !== null && (topic.includes('\0') || !topic.isWellFormed())) {
      return Promise.resolve({ session: true, access: NOTHING });
    }
    return new Promise((give, fail) => {
      queue.push({ claims, topic, write, give, fail });
      // Whoever asks in the same moment is asked about together.
      if (!scheduled) setImmediate(next);
      scheduled = true;
    });
  }

  const doorman: Doorman = {
    ask: (caller, topic) => enqueue(waiting, caller, topic, true),
    async askAgain(caller, topic, write) {
      const verdict = await enqueue(patient, caller, topic, write);
      if (!verdict.session) return verdict;
      // The messages that are to be seen are removed after some days: then they are made again.
      if (!mayHear(verdict.access)) return doorman.ask(caller, topic);
      return write ? verdict : { ...verdict, access: { ...verdict.access, write: null } };
    },
  };
  return doorman;
}

/** Whether there is anything in a channel for someone. */
export function mayHear({ read }: Pick<Access, 'read'>): boolean {
  return read.broadcast || read.presence;
}

function accessOf({ read, write }: { read: string[]; write: string[] }): Access {
  const may = (extensions: string[]) => ({
    broadcast: extensions.includes('broadcast'),
    presence: extensions.includes('presence'),
  });
  return { read: may(read), write: may(write) };
}
