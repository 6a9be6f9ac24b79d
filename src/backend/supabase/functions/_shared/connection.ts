import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';

/** Any table by its name; a query says the shape of its rows where it is written. */
type Tables = Record<string, Record<string, unknown>>;

/**
 * A pool of connections, or a transaction on one of them: what only asks doesn't care which.
 * Asked with Kysely's tag: ``(await sql<Row>`select …`.execute(db)).rows``.
 */
export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

export interface ConnectionOptions {
  /** Connections at most; 4 unless said otherwise. */
  max?: number;
  /** What the database shows for them. */
  name?: string;
  /** The longest that one statement may run, in ms; without it there is no limit. */
  statementTimeout?: number;
  /** After this long without a question a connection is let go of, in ms; 0 keeps it. */
  idleTimeout?: number;
}

/** The longest wait for a free connection, or for a new one to be made, in ms. */
const CONNECT_TIMEOUT = 3_000;

/**
 * Opens a pool over `pg`. It outlives a database that dies: what is under way fails, what comes later
 * is asked on a new connection. `db.destroy()` ends it, after what is under way.
 */
export function connect(databaseUrl: string, options: ConnectionOptions = {}): Database {
  const { max = 4, name, statementTimeout, idleTimeout = 0 } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: idleTimeout,
    keepAlive: true,
    options: '-c TimeZone=UTC',
    ...(name && { application_name: name }),
    ...(statementTimeout && { statement_timeout: statementTimeout }),
  });
  // A lost connection fails the query that was on it; told here as well, it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
