import postgres from 'postgres';
import { setting } from './settings.ts';

/** The most connections that the functions of a process hold, however many requests come at once. */
const MOST = 4;

let open: { url: string; sql: postgres.Sql } | undefined;

/**
 * The database, as its owner, by connections that are kept for the next request and let go of when
 * none comes for a while.
 * @throws Error when SUPABASE_DB_URL is not set
 */
export function database(): postgres.Sql {
  const url = setting('SUPABASE_DB_URL');
  if (!url) throw new Error('SUPABASE_DB_URL is not set.');
  if (open?.url !== url) {
    void open?.sql.end({ timeout: 5 });
    open = {
      url,
      sql: postgres(url, {
        max: MOST,
        idle_timeout: 10,
        prepare: false,
        fetch_types: false,
        onnotice: () => {},
      }),
    };
  }
  return open.sql;
}
