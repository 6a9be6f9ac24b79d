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
