import { connect, type Database, DISK_FULL, OUT_OF_SPACE } from './connection.ts';
import { setting } from './settings.ts';

/** Connections are closed after this long without a request, in ms. */
const IDLE_TIMEOUT = 10_000;

/** The longest a statement may take, in ms, so that a form can still answer in its own words. */
const STATEMENT_TIMEOUT = 6_000;

let open: { url: string; db: Database } | undefined;

/**
 * The database, as its owner. Connections are closed when no request comes for a while.
 * @throws Error if SUPABASE_DB_URL isn't set, or with the code of a full disk when OUT_OF_SPACE
 * is
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
