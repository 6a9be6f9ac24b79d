/** A person's first page, in one query. */
import * as v from 'valibot';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { coachToday } from './coach-today.ts';
import { dashboard } from './dashboard.ts';
import { news } from './news.ts';

export const home = v.object({
  /** For coaches only, who have no dashboard and no news. */
  today: v.nullable(coachToday),
  dashboard: v.nullable(dashboard),
  /** What others and the product did in the last 30 days, newest first, at most six. */
  news: v.array(news),
});

/** What a coach does today; for everyone else, their dashboard and news of one business (null: none yet). */
export const getHome = (db: Db, businessId: string | null) =>
  rpc(db, 'get_home', home, { p_business_id: businessId });
