import type { Sql, TransactionSql } from 'postgres';
import postgres from 'postgres';

/** A connection or a transaction: what only asks does not care which. */
export type Db = Sql | TransactionSql;

/**
 * Opens a small pool for upkeep. Notices stay silent: migrations raise many.
 *
 * @param max connections at most.
 */
export function connect(databaseUrl: string, max = 4): Sql {
  return postgres(databaseUrl, { max, onnotice: () => {}, connection: { TimeZone: 'UTC' } });
}

/**
 * Opens a pool for as long as the process runs, which outlives a database that dies. Arrays are no
 * values here: the driver asks for their types on each new connection, where nobody waits for the
 * answer, and a connection that dies meanwhile would end the process.
 *
 * @param max connections at most.
 * @param name what the database shows for them.
 */
export function connectForLong(databaseUrl: string, max: number, name: string): Sql {
  return postgres(databaseUrl, {
    max,
    onnotice: () => {},
    fetch_types: false,
    connection: { TimeZone: 'UTC', application_name: name },
  });
}
