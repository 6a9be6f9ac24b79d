/** Named filters of a list, saved per user. */
import { dataOf } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export interface SavedView {
  id: string;
  name: string;
  /** The filters as a URL query: `?status=blocked`, or '' for none. */
  query: string;
}

/** The user's saved views of one list, by name. Throws an AppError. */
export async function listSavedViews(db: Db, list: string): Promise<SavedView[]> {
  return dataOf(
    await db.from('saved_views').select('id, name, query').eq('list', list).order('name'),
  );
}

/** Saves a view under a new id. An existing one with the same name gets its filters instead. */
export async function saveView(db: Db, list: string, view: SavedView): Promise<void> {
  const { id, name, query } = view;
  await rpc(db, 'save_view', ignored, { p_id: id, p_list: list, p_name: name, p_query: query });
}

/** Removes a view. Idempotent. */
export const removeView = (db: Db, id: string) => rpc(db, 'remove_view', ignored, { p_id: id });
