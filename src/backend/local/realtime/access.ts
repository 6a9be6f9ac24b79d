import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import type { Caller } from '../gateway/lite.ts';

export interface Access {
  /** Whether a client may read broadcasts and see presence. */
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

/** Whether the session still exists, and what its user may do; `write` is null if not checked. */
export type Verdict<Write = Access['write']> =
  | { session: false }
  | { session: true; access: { read: Access['read']; write: Write } };

/** Thrown when a policy raises an error, so that it neither allows nor denies access. */
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

/** How many channels one query checks, which takes the database about 10 ms. */
const BATCH = 100;
/** Concurrent queries; the pool has one more connection. */
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
      // The background runs one query at a time, so that joining clients find a free connection.
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
   * Checks, as Supabase's Realtime does, whether a session still exists and whether the policies on
   * `realtime.messages` let its user select and insert a message of a topic. Simultaneous checks
   * share one query.
   * @param topic null for a public channel, where only the session counts.
   * @throws {PolicyFailed} if a policy fails; the driver's error if the database is unreachable.
   */
  const check = (caller: Caller, topic: string | null) => enqueue(joining, caller, topic, true);
  return {
    check,
    /** The same check in the background, after those of clients that join; `write` is optional. */
    async recheck(
      caller: Caller,
      topic: string | null,
      write: boolean,
    ): Promise<Verdict<Access['write'] | null>> {
      const verdict = await enqueue(background, caller, topic, write);
      if (!verdict.session) return verdict;
      // The rows it tries to read are deleted after a few days; a full check creates them again.
      if (!mayRead(verdict.access)) return check(caller, topic);
      return write ? verdict : { ...verdict, access: { ...verdict.access, write: null } };
    },
  };
}

/** What a caller may do in the cases that don't need a query. */
function knownAccess(claims: Caller, topic: string | null): Access | undefined {
  if (topic === null) return typeof claims.session_id === 'string' ? undefined : EVERYTHING;
  // PostgreSQL text can't contain these, so the query would fail for the whole batch.
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

/** Whether a client may read anything in a channel. */
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
