/** Search across everything that the user can open. */
import * as v from 'valibot';
import { FOUND_KINDS } from '#domain/search.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const found = v.object({
  kind: v.picklist(FOUND_KINDS),
  /** A UUID; a tool's slug, a message's conversation. */
  id: v.string(),
  title: v.string(),
  detail: v.nullable(v.string()),
  /** A project's status, a client's state, an account's role or what a tool is. */
  type: v.nullable(v.string()),
  /** A message's position in its conversation. */
  seq: v.nullable(v.number()),
});
export type Found = v.InferOutput<typeof found>;

/**
 * What has words that start with these, at most five of each kind, best first. Throws an AppError,
 * `rate-limited` after a lot of searches in a short time.
 */
export const searchEverything = (db: Db, words: string): Promise<Found[]> =>
  rpc(db, 'search_everything', v.array(found), { p_words: words });
