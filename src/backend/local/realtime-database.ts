import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { connectForLong } from './connection.ts';

/** A message that the database sent by `realtime.send`. */
export interface StoredMessage {
  id: string;
  topic: string;
  event: string;
  payload: unknown;
  private: boolean;
}

/** A client's broadcast, on its way to the other processes over the same database. */
export interface PassedOn {
  topic: string;
  isPrivate: boolean;
  event: string;
  payload: unknown;
}

export interface DatabaseListener {
  /**
   * Tells the other processes, when there are any. What is longer than a notification may be (some
   * 7,800 bytes) stays here: what must arrive is sent by the database, to all.
   */
  passOn(message: PassedOn): void;
  close(): Promise<void>;
}

/** How many messages are read at once; a burst of more is read in turns. */
const BATCH = 200;
/** The listener calls itself this often, and listens anew when it did not hear that, in milliseconds. */
const PING_EVERY = 2_000;
const PING_LOST = 5_000;
/** PostgreSQL refuses a notification of 8,000 bytes. */
const LONGEST_NOTIFICATION = 7_900;
/** While the database is away or slow, no more than these wait for it. */
const MOST_PASSING = 1_000;

/**
 * Hands on what `realtime.send` has committed, in the order of the commits. It outlives a database
 * that dies or is cut off.
 *
 * @param heard called for each message.
 * @param gap called when messages may have been missed: the connection was lost and is back, or rows
 * could not be read. Whoever listens must look for themselves.
 * @param passedOn called for each broadcast of another process.
 */
export async function listenToDatabase(
  databaseUrl: string,
  sql: Sql,
  heard: (message: StoredMessage) => void,
  gap: () => void,
  passedOn: (message: PassedOn) => void,
): Promise<DatabaseListener> {
  let waiting: string[] = [];
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    while (waiting.length > 0) {
      const ids = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        const rows = await sql<(Omit<StoredMessage, 'payload'> & { body: string | null })[]>`
          select id, topic, event, payload::text as body, coalesce(private, false) as private
          from realtime.messages where id in ${sql(ids)}
        `;
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const id of ids) {
          const row = byId.get(id);
          if (row) heard({ ...row, payload: JSON.parse(row.body ?? '{}') });
        }
      } catch {
        waiting = [];
        gap();
      }
    }
  }

  const self = randomUUID();
  const ping = `ping:${self}`;
  let passed: Promise<void> = Promise.resolve();
  let passing = 0;
  /** When each other process was heard last. */
  const others = new Map<string, number>();
  let lastPing = Date.now();
  let closed = false;

  function hear(id: string): void {
    if (id.startsWith('ping:')) {
      if (id === ping) lastPing = Date.now();
      else others.set(id, Date.now());
      return;
    }
    if (id.startsWith('pass:')) {
      const { from, bytes, ...message } = JSON.parse(id.slice(5));
      if (from === self) return;
      passedOn(
        bytes === undefined ? message : { ...message, payload: Buffer.from(bytes, 'base64') },
      );
      return;
    }
    waiting.push(id);
    reading ??= read().finally(() => {
      reading = undefined;
    });
  }

  /** A driver that failed to listen again never tries once more, so each try has one of its own. */
  async function open(): Promise<Sql> {
    const own = connectForLong(databaseUrl, 1, 'trellis-realtime');
    let listened = false;
    try {
      await own.listen(
        'realtime',
        (id) => own === listener && hear(id),
        () => {
          // The driver found its connection cut and has made another.
          if (listened && own === listener) gap();
          listened = true;
        },
      );
    } catch (error) {
      await own.end({ timeout: 0 }).catch(() => {});
      throw error;
    }
    return own;
  }

  let listener: Sql | undefined;
  listener = await open();
  let checking = false;
  async function check(): Promise<void> {
    if (checking) return;
    checking = true;
    try {
      if (Date.now() - lastPing > PING_LOST) {
        const old = listener;
        listener = await open();
        await old?.end({ timeout: 0 }).catch(() => {});
        lastPing = Date.now();
        gap();
      }
      await sql.notify('realtime', ping);
    } catch {
      // The database is away; the next round asks again.
    } finally {
      checking = false;
    }
  }
  // The first says at once that there is one more.
  await check();
  const timer = setInterval(() => void check(), PING_EVERY);
  timer.unref();

  return {
    passOn({ payload, ...message }) {
      for (const [id, at] of others) if (Date.now() - at > PING_LOST) others.delete(id);
      if (others.size === 0) return;
      const body =
        payload instanceof Uint8Array
          ? { bytes: Buffer.from(payload).toString('base64') }
          : { payload };
      const line = `pass:${JSON.stringify({ from: self, ...message, ...body })}`;
      if (Buffer.byteLength(line) > LONGEST_NOTIFICATION) return;
      if (passing >= MOST_PASSING) return;
      passing += 1;
      // One after the other: several connections would overtake each other.
      passed = passed
        .then(() => sql.notify('realtime', line))
        .then(
          () => {},
          // As with a client that is away: a broadcast is not promised to arrive.
          () => {},
        )
        .finally(() => {
          passing -= 1;
        });
    },
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      await listener?.end({ timeout: 1 }).catch(() => {});
      await Promise.all([reading, passed]);
    },
  };
}
