import { Kysely, PostgresDialect, type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';

/** Any table by name; each query declares the shape of its rows. */
type Tables = Record<string, Record<string, unknown>>;

/** A pool of connections, or a transaction on one of them. */
export type Database = Kysely<Tables>;

/** Runs a statement, with its values as parameters, and returns the rows: ``await query<Row>(db)`select …` ``. */
export const query =
  <Row>(db: QueryExecutorProvider) =>
  async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (await sql<Row>(text, ...values).execute(db)).rows;

/** Like `query`, but returns only the first row, or undefined if there is none. */
export const queryOne =
  <Row>(db: QueryExecutorProvider) =>
  async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row | undefined> =>
    (await query<Row>(db)(text, ...values))[0];

export interface ConnectionOptions {
  /** Maximum number of connections; 4 by default. */
  max?: number;
  /** The application name that the database shows. */
  name?: string;
  /** The longest a statement may run, in ms; a second later, an unresponsive connection is closed. */
  statementTimeout?: number;
  /** A connection is closed after this long without a query, in ms; 0 keeps it open. */
  idleTimeout?: number;
  /** Parsers for values, to override the driver's. */
  types?: pg.CustomTypesConfig;
}

/** The longest wait for a new connection, in ms. */
const CONNECT_TIMEOUT = 3_000;
/** The longest wait for a connection in use, in ms. */
const QUEUE_TIMEOUT = 6_000;
/** A connection that answered within this time isn't checked before its next query, in ms. */
const SURELY_THERE = 250;
/** Timeout of the check before a connection is used, in ms, after which it's closed. */
const GREETING_TIMEOUT = 1_500;
/** The longest wait for running queries when a pool ends, in ms. */
const END_TIMEOUT = 5_000;

/** Gives `sslmode` its usual meaning: by default, the driver treats `require` as `verify-full`. */
function withUsualSsl(address: string): string {
  const url = URL.parse(address);
  const mode = url?.searchParams.get('sslmode');
  if (!url || !mode || url.searchParams.has('uselibpqcompat')) return address;
  // The compatible `verify-ca` requires a CA certificate; without one, it stays `verify-full`.
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) return address;
  url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}

/** Whether it's a query that sends itself, such as a cursor. */
const isSubmittable = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && 'submit' in config;

/** The driver's message for a query that took too long. */
const TOO_LATE = 'Query read timeout';

/**
 * A client that closes its connection when a query times out. It gives the driver callbacks, and keeps
 * the time by itself: what the driver's own promises and timers point to, with all rows, V8 keeps
 * until it has searched all of its memory (decision 125).
 */
export class Client extends pg.Client {
  /** When the server last answered, in ms since 1970. */
  answeredAt = Date.now();

  constructor({
    connectionString: address,
    query_timeout: limit,
    ...config
  }: pg.ClientConfig = {}) {
    super({
      ...config,
      ...(address && { connectionString: withUsualSsl(address) }),
      connectionTimeoutMillis: CONNECT_TIMEOUT,
    });
    const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
    const query = (...asked: unknown[]) => {
      const [config, values] = asked;
      if (isSubmittable(config) || asked.some((each) => typeof each === 'function')) {
        return ask(...asked);
      }
      return new Promise((resolve, reject) => {
        const late = () => {
          // The driver would queue the next query behind the unanswered one.
          this.giveUp();
          reject(new Error(TOO_LATE));
        };
        const timer = limit ? setTimeout(late, limit) : undefined;
        ask(config, values, (error: Error | null, result: unknown) => {
          clearTimeout(timer);
          if (error?.message === TOO_LATE) late();
          else if (error) reject(error);
          else {
            this.answeredAt = Date.now();
            resolve(result);
          }
        });
      }).catch((error: Error) => {
        // As the driver does: the stack leads to who asked, instead of to the socket.
        Error.captureStackTrace(error);
        throw error;
      });
    };
    Object.assign(this, { query });
  }

  /** Closes the connection abruptly; running queries fail. */
  giveUp(): void {
    this.connection.stream.destroy();
  }
}

/** Opens a `pg` pool that survives a database crash: later queries get a new connection. */
export function connect(databaseUrl: string, options: ConnectionOptions = {}): Database {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createPool(databaseUrl, options) }),
  });
}

/** Connections to a database. */
export interface Pool {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

/** The pool behind `connect`, for statements that don't go through it. */
export function createPool(databaseUrl: string, options: ConnectionOptions): Pool {
  const { max = 4, name, statementTimeout, idleTimeout = 0, types } = options;
  const pool = new pg.Pool({
    Client,
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: QUEUE_TIMEOUT,
    idleTimeoutMillis: idleTimeout,
    keepAlive: true,
    options: '-c TimeZone=UTC',
    ...(name && { application_name: name }),
    ...(statementTimeout && {
      statement_timeout: statementTimeout,
      query_timeout: statementTimeout + 1_000,
    }),
    ...(types && { types }),
  });
  const open = new Set<pg.PoolClient>();
  // A lost connection makes its query fail anyway; without a listener, `error` ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    open.add(client);
  });
  pool.on('remove', (client) => open.delete(client));

  return {
    async connect() {
      const deadline = Date.now() + CONNECT_TIMEOUT;
      for (;;) {
        const client = await pool.connect();
        if (answeredLately(client) || (await isThere(client))) return client;
        client.release(true);
        if (Date.now() > deadline) throw new Error('Connection terminated: no answer');
      }
    },
    async end() {
      const late = setTimeout(() => {
        for (const client of open) if (client instanceof Client) client.giveUp();
      }, END_TIMEOUT);
      await pool.end();
      clearTimeout(late);
    },
  };
}

const answeredLately = (client: pg.PoolClient): boolean =>
  client instanceof Client && Date.now() - client.answeredAt < SURELY_THERE;

/** Whether the server still responds; checked before an idle connection is used for a query. */
async function isThere(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query({ text: '', query_timeout: GREETING_TIMEOUT } as pg.QueryConfig);
    return true;
  } catch {
    return false;
  }
}

/** SQLSTATEs of a database that's shutting down, not up yet, or out of connections. */
const AWAY = /^(08...|57P0[1235]|53300)$/;
const BROKEN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** Errors that the driver reports only by message. */
const GONE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after|driver has already been destroyed)/;

/**
 * Whether the database is unreachable or out of connections. If so, a write may or may not have
 * been done.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof pg.DatabaseError) return AWAY.test(code ?? '');
  // A missing file has the same code as a missing socket.
  if (code !== undefined && BROKEN.has(code)) return code !== 'ENOENT' || syscall === 'connect';
  return GONE.test(error.message);
}

/** disk_full, as PostgreSQL and PostgREST call it. */
export const DISK_FULL = '53100';

/** The error message for users; src/lib/errors.ts has the same one in the browser. */
export const OUT_OF_SPACE =
  'Our server is out of space and can’t save anything. Keep this page open and try again later.';

/** Whether an error from the database or the file system means that the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === DISK_FULL || code === 'ENOSPC';
}
