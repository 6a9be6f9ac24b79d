/** Figures of a business at a date. */
import { dataOf } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

/** The figures that count of one day. Null is unknown, never 0; amounts are of a year, in minor units. */
export interface Snapshot {
  id: string;
  /** A day, `2026-06-30`. */
  taken_on: string;
  full_time: number | null;
  part_time: number | null;
  revenue_minor: number | null;
  profit_minor: number | null;
  currency: string | null;
  added_by: string | null;
  added_at: string;
  /** How often the figures of this day were corrected. */
  corrections: number;
}

/** How many one answer has at most. */
export const SNAPSHOT_PAGE = 24;

export type NewSnapshot = Pick<
  Snapshot,
  'id' | 'taken_on' | 'full_time' | 'part_time' | 'revenue_minor' | 'profit_minor' | 'currency'
>;

/** Figures from before a day, newest first. */
export async function listSnapshots(
  db: Db,
  businessId: string,
  before?: string,
): Promise<Snapshot[]> {
  const answer = await db.rpc('list_snapshots', {
    p_business_id: businessId,
    p_limit: SNAPSHOT_PAGE,
    ...(before === undefined ? {} : { p_before: before }),
  });
  return dataOf(answer) as unknown as Snapshot[];
}

/** Adds figures of a day, or corrects those of that day. Throws `invalid` with its field. */
export async function createSnapshot(
  db: Db,
  businessId: string,
  figures: NewSnapshot,
): Promise<void> {
  const known = Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) =>
      value === null ? [] : [[`p_${name}`, value]],
    ),
  ) as { p_id: string; p_taken_on: string };
  dataOf(await db.rpc('add_snapshot', { p_business_id: businessId, ...known }));
}
