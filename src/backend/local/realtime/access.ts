import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import type { Caller } from '../gateway/lite.ts';

export interface Access {
  /** Read broadcasts, see presence. */
  read: { broadcast: boolean; presence: boolean };
  write: { broadcast: boolean; presence: boolean };
}

const EVERYTHING: Access = {
  read: { broadcast: true, presence: true },
  write: { broadcast: true, presence: true },
};

const NOTHING: Access = {
  read: { broadcast: false, presence: false },
  write: { broadcast: false, presence: false },
};

/** The session was ended, or what its person may do; `write` is null where it wasn't asked about. */
export type Verdict<Write = Access['write']> =
  | { session: false }
  | { session: true; access: { read: Access['read']; write: Write } };

/** A policy that failed: it neither allows nor refuses. */
export class PolicyFailed extends Error {}

export type AccessChecker = ReturnType<typeof createAccessChecker>;

interface Pending {
  claims: Caller;
  topic: string | null;
  write: boolean;
  resolve(verdict: Verdict): void;
  reject(error: unknown): void;
}

type Answer = { read: string[]; write: string[] } | { error: string };

/** How many channels are checked at a time: some 10 ms of the database's time. */
const BATCH = 100;
/** Queries at the same time; the pool has one connection more. */
const AT_ONCE = 2;

export function createAccessChecker(db: Database) {
  const joining: Pending[] = [];
  const background: Pending[] = [];
  let running = 0;
  let isScheduled = false;

  function runNext(): void {
    isScheduled = false;
    while (running < AT_ONCE && joining.length + background.length > 0) {
      const queue = joining.length > 0 ? joining : background;
      // The background runs one query at a time, so that a client that joins finds a connection free.
      if (queue === background && running > 0) return;
      running += 1;
      void checkBatch(db, queue.splice(0, BATCH), queue === background).finally(() => {
        running -= 1;
        runNext();
      });
    }
  }

  function enqueue(
    queue: Pending[],
    claims: Caller,
    topic: string | null,
    write: boolean,
  ): Promise<Verdict> {
    const access = knownAccess(claims, topic);
    if (access) return Promise.resolve({ session: true, access });
    return new Promise((resolve, reject) => {
      queue.push({ claims, topic, write, resolve, reject });
      if (!isScheduled) setImmediate(runNext);
      isScheduled = true;
    });
  }

  /**
   * Asks, as Supabase's Realtime does, whether a session still exists and whether the policies on
   * `realtime.messages` let its person select and insert a message of a topic. Checks at the same
   * moment share one query.
   * @param topic null for a public channel, where only the session counts.
   * @throws {PolicyFailed} when a policy fails, and what the driver says when the database is away.
   */
  const check = (caller: Caller, topic: string | null) => enqueue(joining, caller, topic, true);
  return {
    check,
    /** The same in the background, after people who are joining; for writing only if requested. */
    async recheck(
      caller: Caller,
      topic: string | null,
      write: boolean,
    ): Promise<Verdict<Access['write'] | null>> {
      const verdict = await enqueue(background, caller, topic, write);
      if (!verdict.session) return verdict;
      // The rows that are read are removed after some days: then they are made again.
      if (!mayRead(verdict.access)) return check(caller, topic);
      return write ? verdict : { ...verdict, access: { ...verdict.access, write: null } };
    },
  };
}

/** What a caller may do where the database needn't be asked. */
function knownAccess(claims: Caller, topic: string | null): Access | undefined {
  if (topic === null) return typeof claims.session_id === 'string' ? undefined : EVERYTHING;
  // No text of PostgreSQL holds these: the query would fail for everyone who is in it.
  return topic.includes('\0') || !topic.isWellFormed() ? NOTHING : undefined;
}

async function checkBatch(db: Database, batch: Pending[], isBackground: boolean): Promise<void> {
  const groups = [...Map.groupBy(batch, ({ claims }) => JSON.stringify(claims)).values()];
  try {
    const asked = groups.map((group) => ({
      claims: group[0]?.claims,
      topics: group.flatMap(({ topic: name, write }) => (name === null ? [] : [{ name, write }])),
    }));
    const row = await queryOne<{ answers: { session: boolean; topics: Answer[] }[] }>(db)`
      select realtime.access_to(${JSON.stringify(asked)}, ${isBackground}) as answers`;
    for (const [n, group] of groups.entries()) {
      const { session = false, topics = [] } = row?.answers[n] ?? {};
      for (const { topic, resolve, reject } of group) {
        const answer = topic === null ? null : session ? topics.shift() : null;
        if (!session) resolve({ session: false });
        else if (answer === null) resolve({ session: true, access: EVERYTHING });
        else if (!answer || 'error' in answer) reject(new PolicyFailed(answer?.error));
        else resolve({ session: true, access: accessOf(answer) });
      }
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** Whether there is anything in a channel for this client. */
export function mayRead({ read }: Pick<Access, 'read'>): boolean {
  return read.broadcast || read.presence;
}

function accessOf({ read, write }: { read: string[]; write: string[] }): Access {
  const may = (extensions: string[]) => ({
    broadcast: extensions.includes('broadcast'),
    presence: extensions.includes('presence'),
  });
  return { read: may(read), write: may(write) };
}
