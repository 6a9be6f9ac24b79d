/** Figures for admins. */
import { dataOf } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

export interface AdminOverview {
  people: number;
  coaches: number;
  businesses: number;
  /** By state. */
  attempts: Record<string, number>;
  /** By state. */
  engagements: Record<string, number>;
  /** Mail that waits or has failed. */
  mail: Record<string, number>;
}

/** What stands in the database, counted now. Throws `denied` for everyone but an admin. */
export async function getAdminOverview(db: Db): Promise<AdminOverview> {
  return dataOf(await db.rpc('admin_overview')) as unknown as AdminOverview;
}
