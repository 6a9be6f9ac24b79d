import pg from 'pg';
import { Client } from '#backend/supabase/functions/_shared/connection.ts';

export interface Listening {
  /** The connection's application name, as the database shows it. */
  name: string;
  channel: string;
  onNotification?(payload: string): void;
  /** The connection was lost and is back. Notifications sent in between are lost. */
  onReconnect?(): void;
  /** Called with the connection from time to time; if it fails, the connection is replaced. */
  check?(ask: Client): Promise<unknown>;
}

export interface Listener {
  close(): Promise<void>;
}

/** How often to check a connection, and the longest pause between attempts to reconnect, in ms. */
const CHECK_EVERY = 2_000;
/** The first pause between those attempts, in ms; each one is twice the last. */
const FIRST_PAUSE = 100;
/** How long a query may take before its connection is closed, in ms. */
const PATIENCE = 5_000;

/**
 * Listens to a channel on a separate connection, which reconnects if it's lost. Throws if the first
 * attempt to connect fails.
 */
export async function listen(databaseUrl: string, listening: Listening): Promise<Listener> {
  const connection = new ListeningConnection(databaseUrl, listening);
  await connection.open();
  setImmediate(() => connection.check());
  return connection;
}

class ListeningConnection implements Listener {
  readonly #databaseUrl: string;
  readonly #listening: Listening;
  #client: Client | undefined;
  #isClosed = false;
  #checking: Promise<void> | undefined;
  #pause = FIRST_PAUSE;
  #timer: NodeJS.Timeout | undefined;

  constructor(databaseUrl: string, listening: Listening) {
    this.#databaseUrl = databaseUrl;
    this.#listening = listening;
  }

  async open(): Promise<Client> {
    const { name, channel, onNotification } = this.#listening;
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: name,
      query_timeout: PATIENCE,
      keepAlive: true,
    });
    // The `end` event follows, and reconnects.
    client.on('error', () => {});
    client.on('end', () => {
      if (client !== this.#client) return;
      this.#client = undefined;
      this.check();
    });
    client.on('notification', ({ payload = '' }) => {
      if (client === this.#client) onNotification?.(payload);
    });
    try {
      await client.connect();
      this.#refuseClosed();
      this.#client = client;
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      this.#refuseClosed();
      return client;
    } catch (error) {
      this.#drop(client);
      throw error;
    }
  }

  /** Checks the connection now and regularly, and opens another one if it's lost. */
  check(): void {
    if (this.#checking || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#checking = this.#checkOnce()
      .catch(() => {})
      .finally(() => {
        this.#checking = undefined;
        if (this.#isClosed) return;
        const isOpen = this.#client !== undefined;
        this.#timer = setTimeout(() => this.check(), isOpen ? CHECK_EVERY : this.#pause).unref();
        this.#pause = isOpen ? FIRST_PAUSE : Math.min(this.#pause * 2, CHECK_EVERY);
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    client?.giveUp();
    await this.#checking;
  }

  async #checkOnce(): Promise<void> {
    const { check = (asked: Client) => asked.query('select 1'), onReconnect } = this.#listening;
    const client = this.#client;
    if (client) await check(client).catch(() => this.#drop(client));
    if (this.#client || this.#isClosed) return;
    const next = await this.open();
    onReconnect?.();
    await check(next);
  }

  #drop(lost: Client): void {
    if (lost === this.#client) this.#client = undefined;
    lost.giveUp();
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new Error('Closed meanwhile');
  }
}
