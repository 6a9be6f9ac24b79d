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

/**
 * Opens one connection for notifications, on which `listen <channel>` is then said. The driver's own
 * `listen` keeps its connection to itself, so that nobody could ask on it whether it still lives; and
 * when it fails to listen again it never tries once more.
 *
 * @param ears.heard called with each notification.
 * @param ears.closed called when the connection is lost. The driver makes another for the next
 * question, which does not listen.
 */
export function listenForLong(
  databaseUrl: string,
  name: string,
  ears: { heard: (line: string) => void; closed: () => void },
): Sql {
  const options = {
    max: 1,
    // For as long as the process runs; the driver would make a new one after half an hour.
    max_lifetime: null,
    onnotice: () => {},
    onnotify: (_channel: string, line: string) => ears.heard(line),
    onclose: ears.closed,
    fetch_types: false,
    connection: { TimeZone: 'UTC', application_name: name },
  };
  return postgres(databaseUrl, options as postgres.Options<Record<string, never>>);
}
