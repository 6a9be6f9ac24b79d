import pg from 'pg';
import { Client } from '#backend/supabase/functions/_shared/connection.ts';

export interface Listening {
  /** What the database shows for the connection. */
  name: string;
  channel: string;
  heard(payload: string): void;
  /** The connection was lost and is back: what was sent meanwhile was missed. */
  missed(): void;
  /** Asks something on the connection, from time to time; it's given up when this fails. */
  check?(ask: Client): Promise<unknown>;
}

export interface Listener {
  close(): Promise<void>;
}

/** How often a connection is checked, in ms, and the longest pause between two tries to open one. */
const CHECK_EVERY = 2_000;
/** The first such pause, in ms; each is twice the one before. */
const FIRST_PAUSE = 100;
/** A connection that does not answer for so long is given up, in ms. */
const PATIENCE = 5_000;

/**
 * Listens to a channel on a connection of its own, for as long as the process runs: one that is lost
 * is opened again.
 *
 * @throws when the first cannot be opened.
 */
export async function listen(databaseUrl: string, listening: Listening): Promise<Listener> {
  const { name, channel, heard, missed, check = (client) => client.query('select 1') } = listening;
  let client: Client | undefined;
  let closed = false;
  let checking: Promise<void> | undefined;
  let pause = FIRST_PAUSE;
  let timer: NodeJS.Timeout | undefined;

  function drop(lost: Client): void {
    if (lost === client) client = undefined;
    lost.giveUp();
  }

  async function open(): Promise<Client> {
    const own = new Client({
      connectionString: databaseUrl,
      application_name: name,
      query_timeout: PATIENCE,
      keepAlive: true,
    });
    // Its end is told as well.
    own.on('error', () => {});
    own.on('end', () => {
      if (own !== client) return;
      client = undefined;
      look();
    });
    own.on('notification', ({ payload = '' }) => own === client && heard(payload));
    try {
      await own.connect();
      if (closed) throw new Error('Closed meanwhile');
      client = own;
      await own.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (closed) throw new Error('Closed meanwhile');
      return own;
    } catch (error) {
      drop(own);
      throw error;
    }
  }

  async function checkNow(): Promise<void> {
    const own = client;
    if (own) await check(own).catch(() => drop(own));
    if (client || closed) return;
    const next = await open();
    missed();
    await check(next);
  }

  function look(): void {
    if (checking || closed) return;
    clearTimeout(timer);
    checking = checkNow()
      .catch(() => {})
      .finally(() => {
        checking = undefined;
        if (closed) return;
        timer = setTimeout(look, client ? CHECK_EVERY : pause);
        timer.unref();
        pause = client ? FIRST_PAUSE : Math.min(pause * 2, CHECK_EVERY);
      });
  }

  await open();
  setImmediate(look);
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      const own = client;
      client = undefined;
      own?.giveUp();
      await checking;
    },
  };
}
