import { sql } from 'kysely';
import type { Database } from './connection.ts';

/** Removes objects of a bucket, contents and rows; those that are gone already do not matter. */
export type RemoveObjects = (bucket: string, paths: string[]) => Promise<void>;

/** At most this many go in one run, and one that cannot be removed is tried this often. */
const BATCH = 100;
const TRIES = 20;

/**
 * Removes what stands in `file_removals`: files that nobody may see any more. A file leaves the list
 * once it is gone; one that fails stays for the next run. Any number of callers at once do no harm.
 * @returns how many are gone.
 */
export async function removeDueFiles(db: Database, remove: RemoveObjects): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows: due } = await sql<{ bucket_id: string; path: string }>`
      select bucket_id, path from public.file_removals where tries < ${TRIES}
      order by tries, added_at limit ${BATCH} for update skip locked`.execute(tx);
    let gone = 0;
    for (const bucket of new Set(due.map((file) => file.bucket_id))) {
      const paths = due.filter((file) => file.bucket_id === bucket).map(({ path }) => path);
      try {
        await remove(bucket, paths);
        await sql`
          delete from public.file_removals where bucket_id = ${bucket} and path = any(${paths})`.execute(
          tx,
        );
        gone += paths.length;
      } catch {
        await sql`
          update public.file_removals set tries = tries + 1
          where bucket_id = ${bucket} and path = any(${paths})`.execute(tx);
      }
    }
    return gone;
  });
}
