import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Client, Database } from '#backend/supabase/functions/_shared/connection.ts';
import { type Listener, listen } from '../postgres/connection.ts';
import { createParcels, type PassedOn } from './parcels.ts';

/** A message that the database sent by `realtime.send`. */
export interface StoredMessage {
  id: string;
  topic: string;
  event: string;
  payload: unknown;
  private: boolean;
}

/** What the database and the other processes over it have to say. */
export interface DatabaseEars {
  /** A message that was committed, in the order of the commits. */
  heard(message: StoredMessage): void;
  /**
   * Messages may have been missed: the connection was lost and is back, or rows could not be read.
   * Whoever listens must look for themselves.
   */
  gap(): void;
  /** What another process passed on. */
  passedOn(message: PassedOn, from: string): void;
  /** Another process came, or came back: it knows nothing of this one. */
  met(): void;
  /** Another process is gone. */
  lost(process: string): void;
}

export interface DatabaseListener {
  /** Tells the other processes, when there are any. As with a client that is away, it may be lost. */
  passOn(message: PassedOn): void;
  close(): Promise<void>;
}

/** How many messages are read at once; a burst of more is read in turns. */
const BATCH = 200;
/** While the database is away or slow, no more than these wait for it. */
const MOST_PASSING = 1_000;
/** The name under which the database shows a listening process; its own mark follows. */
export const LISTENER = 'trellis-realtime-listener';

/**
 * Hands on what `realtime.send` has committed, in the order of the commits, and what other processes
 * pass on. It outlives a database that dies or is cut off.
 */
export async function listenToDatabase(
  databaseUrl: string,
  db: Database,
  ears: DatabaseEars,
): Promise<DatabaseListener> {
  const self = randomUUID().slice(0, 8);
  const parcels = createParcels(self);

  /** Messages in order: whole, or as the id of one that is too long for a notification. */
  let waiting: (StoredMessage | string)[] = [];
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    while (waiting.length > 0) {
      const turn = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      const ids = turn.filter((each) => typeof each === 'string');
      try {
        const found = new Map((await readRows(db, ids)).map((row) => [row.id, row]));
        for (const each of turn) {
          const message = typeof each === 'string' ? found.get(each) : each;
          if (message) ears.heard(message);
        }
      } catch {
        waiting = [];
        ears.gap();
      }
    }
  }

  function hear(line: string): void {
    if (line.startsWith('row:')) {
      const message = JSON.parse(line.slice(4)) as StoredMessage;
      // Nothing overtakes what is still being read.
      if (reading) waiting.push(message);
      else ears.heard(message);
      return;
    }
    const parcel = parcels.take(line);
    if (parcel === 'none') {
      waiting.push(line);
      reading ??= read().finally(() => {
        reading = undefined;
      });
    } else if (parcel) {
      ears.passedOn(parcel.message, parcel.from);
      // One that has just come says so; it is told at once who is here.
      if (!others.has(parcel.from)) listener?.check();
    }
  }

  /** The other processes by their mark, with the connection that each listens on now. */
  const others = new Map<string, string>();

  /** Counts the other processes, on the connection that listens. */
  async function countOthers(client: Client): Promise<void> {
    const { rows } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_activity
      where datname = current_database() and application_name like '${LISTENER}-%'`,
    );
    const there = new Map(
      rows
        .map(({ name }) => [name.split('-')[3] ?? '', name] as const)
        .filter(([mark]) => mark !== self),
    );
    for (const mark of [...others.keys()]) {
      if (there.has(mark)) continue;
      others.delete(mark);
      ears.lost(mark);
    }
    // One that listens on another connection than before may have missed something too.
    const isNew = [...there].some(([mark, name]) => others.get(mark) !== name);
    for (const [mark, name] of there) others.set(mark, name);
    if (isNew) ears.met();
  }

  let closed = false;
  let listener: Listener | undefined;
  listener = await listen(databaseUrl, {
    name: (opened) => `${LISTENER}-${self}-${opened}`,
    channel: 'realtime',
    heard: hear,
    missed() {
      parcels.forget();
      ears.gap();
    },
    check: countOthers,
  });

  let passed: Promise<void> = Promise.resolve();
  let passing = 0;
  return {
    passOn(message) {
      if (others.size === 0 || passing >= MOST_PASSING || closed) return;
      passing += 1;
      const lines = parcels.pack(message);
      // One after the other: several connections would overtake each other.
      passed = passed
        .then(async () => {
          await sql`select pg_notify('realtime', line) from unnest(${lines}::text[]) line`.execute(
            db,
          );
        })
        .catch(() => {})
        .finally(() => {
          passing -= 1;
        });
    },
    async close() {
      if (closed) return;
      closed = true;
      await listener?.close();
      await Promise.all([reading, passed]);
    },
  };
}

async function readRows(db: Database, ids: string[]): Promise<StoredMessage[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<StoredMessage, 'payload'> & { body: string | null }>`
    select id, topic, event, payload::text as body, coalesce(private, false) as private
    from realtime.messages where id = any(${ids}::uuid[])
  `.execute(db);
  return rows.map(({ body, ...row }) => ({ ...row, payload: JSON.parse(body ?? '{}') }));
}
