/** Figures for admins. */
import * as v from 'valibot';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const adminOverview = v.object({
  people: v.number(),
  coaches: v.number(),
  /** The published quiz version. */
  quiz: v.nullable(v.object({ id: v.string(), number: v.number(), published_at: v.string() })),
  businesses: v.number(),
  /** By state. */
  attempts: v.record(v.string(), v.number()),
  /** By state. */
  engagements: v.record(v.string(), v.number()),
  /** Emails waiting or failed, by state. */
  mail: v.record(v.string(), v.number()),
});
export type AdminOverview = v.InferOutput<typeof adminOverview>;

/** Live counts from the database. Throws `denied` for everyone but admins. */
export async function getAdminOverview(db: Db): Promise<AdminOverview> {
  return rpc(db, 'admin_overview', adminOverview);
}
