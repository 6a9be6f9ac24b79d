import { connect, type Database, DISK_FULL, OUT_OF_SPACE } from './connection.ts';
import { setting } from './settings.ts';

/** Connections are closed after this long without a request, in ms. */
const IDLE_TIMEOUT = 10_000;

/** Statement timeout, in ms; short enough that a form can still respond with its own message. */
const STATEMENT_TIMEOUT = 6_000;

let open: { url: string; db: Database } | undefined;

/**
 * Connects to the database as its owner. Connections close when there's no request for a while.
 * @throws {Error} if SUPABASE_DB_URL isn't set; with the code DISK_FULL, if OUT_OF_SPACE is set.
 */
export function database(): Database {
  if (setting('OUT_OF_SPACE')) throw Object.assign(new Error(OUT_OF_SPACE), { code: DISK_FULL });
  const url = setting('SUPABASE_DB_URL');
  if (!url) throw new Error('Set SUPABASE_DB_URL.');
  if (open?.url !== url) {
    void open?.db.destroy();
    const limits = { idleTimeout: IDLE_TIMEOUT, statementTimeout: STATEMENT_TIMEOUT };
    open = { url, db: connect(url, { name: 'trellis-functions', ...limits }) };
  }
  return open.db;
}
