import type { Sql } from 'postgres';
import type { Caller } from './lite.ts';

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

/** What the database said: the session was ended, or what its person may do. */
export type Verdict = { session: false } | { session: true; access: Access };

/** A policy that failed: it neither allows nor refuses. */
export class PolicyFailed extends Error {}

export interface Doorman {
  /**
   * Asks whether a session still is one and what the policies on `realtime.messages` say about a
   * topic, the way Supabase's Realtime does: may this person select a message of it, may they insert
   * one. Whoever asks while others do shares one question with them.
   *
   * @param topic null for a public channel, where only the session counts.
   * @param patient whoever looks again in the background lets those who join go first.
   * @throws {PolicyFailed} when a policy fails, and what the driver says when nobody can be asked.
   */
  ask(caller: Caller, topic: string | null, patient?: boolean): Promise<Verdict>;
}

interface Asked {
  claims: Caller;
  topic: string | null;
  give(verdict: Verdict): void;
  fail(error: unknown): void;
}

type Answer = { session: boolean; read: string[]; write: string[] } | { error: string };

/** How many are asked about at once: some 10 ms of the database's time. */
const BATCH = 100;
/** Questions at the same time; the pool has one connection more. */
const AT_ONCE = 2;

export function createDoorman(sql: Sql): Doorman {
  const waiting: Asked[] = [];
  const patient: Asked[] = [];
  let asking = 0;
  let scheduled = false;

  async function put(batch: Asked[]): Promise<void> {
    try {
      const asked = batch.map(({ claims, topic }) => ({ claims, topic }));
      const [row] = await sql<{ answers: Answer[] }[]>`
        select realtime.access_to(${sql.json(asked as never)}) as answers`;
      batch.forEach(({ topic, give, fail }, n) => {
        const answer = row?.answers[n];
        if (!answer || 'error' in answer) fail(new PolicyFailed(answer?.error ?? 'No answer'));
        else give(verdictOf(answer, topic === null));
      });
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
      void put(queue.splice(0, BATCH)).finally(() => {
        asking -= 1;
        next();
      });
    }
  }

  return {
    ask(claims, topic, isPatient = false) {
      // Without a session and a topic there is nothing that the database knows better.
      if (topic === null && typeof claims.session_id !== 'string') {
        return Promise.resolve({ session: true, access: EVERYTHING });
      }
      return new Promise((give, fail) => {
        (isPatient ? patient : waiting).push({ claims, topic, give, fail });
        // Whoever asks in the same moment is asked about together.
        if (!scheduled) setImmediate(next);
        scheduled = true;
      });
    },
  };
}

function verdictOf(answer: Exclude<Answer, { error: string }>, isPublic: boolean): Verdict {
  if (!answer.session) return { session: false };
  if (isPublic) return { session: true, access: EVERYTHING };
  const may = (extensions: string[]) => ({
    broadcast: extensions.includes('broadcast'),
    presence: extensions.includes('presence'),
  });
  return { session: true, access: { read: may(answer.read), write: may(answer.write) } };
}
