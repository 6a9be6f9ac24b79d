/** A coach's clients as a list, and how many there are. */
import * as v from 'valibot';
import type { ClientFilter } from '#domain/client-list.ts';
import { DUE_KINDS, ENGAGEMENT_STATES } from '#domain/engagement.ts';
import type { ListPage } from '#domain/list.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { placesAround } from './keyset.ts';

export const clientRow = v.object({
  id: v.string(),
  /** The sort key. */
  key: v.string(),
  business: v.object({ id: v.string(), name: v.string() }),
  owner: v.object({
    user_id: v.string(),
    full_name: v.string(),
    avatar_path: v.nullable(v.string()),
  }),
  state: v.picklist(ENGAGEMENT_STATES),
  due_what: v.nullable(v.picklist(DUE_KINDS)),
  due_at: v.nullable(v.string()),
  /** The session that's due: to be held or written up; null if it's something else. */
  session_id: v.nullable(v.string()),
  next_session_at: v.nullable(v.string()),
  last_session_at: v.nullable(v.string()),
  open_actions: v.number(),
  results_shared: v.boolean(),
  /** Unread messages in the engagement's conversation. */
  unread: v.number(),
});
export type ClientRow = v.InferOutput<typeof clientRow>;

/** How many open clients a coach has in each state. */
export const clientCounts = v.object({
  assigned: v.number(),
  accepted: v.number(),
  active: v.number(),
  paused: v.number(),
});
export type ClientCounts = v.InferOutput<typeof clientCounts>;

/**
 * A page of the coach's clients. On the board it has at most 12 of each open state, sorted by state
 * and then as chosen; more of a column are read with its state.
 * @param limit at most 500; by default 25; 0 only counts the rows, exactly
 */
export async function listClients(
  db: Db,
  { place, ...filter }: ClientFilter,
  limit?: number,
): Promise<ListPage<ClientRow>> {
  const answer = v.object({
    rows: v.array(clientRow),
    more: v.boolean(),
    count: v.nullable(v.object({ total: v.number(), at_least: v.boolean() })),
  });
  const { rows, more, count } = await rpc(db, 'list_clients', answer, {
    p_filter: filter,
    ...(place ? { p_place: { ...place } } : {}),
    ...(limit === undefined ? {} : { p_limit: limit }),
  });
  return {
    rows,
    ...placesAround(rows, place, more),
    count: count && { total: count.total, atLeast: count.at_least },
  };
}

/** By state. */
export const getClientCounts = (db: Db): Promise<ClientCounts> =>
  rpc(db, 'client_counts', clientCounts);
