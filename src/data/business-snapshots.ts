/** A business's figures by date. */
import * as v from 'valibot';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** The current figures for a date. Null is unknown, never 0; amounts are annual, in minor units. */
export const snapshot = v.object({
  id: v.string(),
  /** A date, `2026-06-30`. */
  taken_on: v.string(),
  full_time: v.nullable(v.number()),
  part_time: v.nullable(v.number()),
  revenue_minor: v.nullable(v.number()),
  profit_minor: v.nullable(v.number()),
  currency: v.nullable(v.string()),
  added_by: v.nullable(v.string()),
  added_at: v.string(),
  /** How often this date's figures were corrected. */
  corrections: v.number(),
});
export type Snapshot = v.InferOutput<typeof snapshot>;

/** Snapshots per response, at most. */
export const SNAPSHOT_PAGE = 24;

export type NewSnapshot = Pick<
  Snapshot,
  'id' | 'taken_on' | 'full_time' | 'part_time' | 'revenue_minor' | 'profit_minor' | 'currency'
>;

/** A page of figures from before a date, newest first. */
export const listSnapshots = (db: Db, businessId: string, before?: string) =>
  rpc(db, 'list_snapshots', v.array(snapshot), {
    p_business_id: businessId,
    p_limit: SNAPSHOT_PAGE,
    ...(before === undefined ? {} : { p_before: before }),
  });

/** Adds figures for a date, or corrects existing ones. Throws `invalid` with the field. */
export const createSnapshot = (db: Db, businessId: string, figures: NewSnapshot) =>
  rpc(db, 'add_snapshot', ignored, {
    p_business_id: businessId,
    p_id: figures.id,
    p_taken_on: figures.taken_on,
    p_full_time: figures.full_time,
    p_part_time: figures.part_time,
    p_revenue_minor: figures.revenue_minor,
    p_profit_minor: figures.profit_minor,
    p_currency: figures.currency,
  });
