/** Memberships that run: those of the caller's businesses, and those they pay for. */
import * as v from 'valibot';
import { MEMBERSHIP_STATES, PRICE_PERIODS } from '#domain/order.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

const memberships = v.array(
  v.object({
    order_id: v.string(),
    business: v.object({ id: v.string(), name: v.string() }),
    state: v.picklist(MEMBERSHIP_STATES),
    period_ends_at: v.nullable(v.string()),
    /** It ends with the period instead of renewing. */
    ends_with_period: v.boolean(),
    every: v.picklist(PRICE_PERIODS),
    /** What a renewal costs, with tax. */
    total_minor: v.number(),
    currency: v.string(),
    is_test: v.boolean(),
    /** Whether the caller pays for it. */
    is_own: v.boolean(),
    /** How many sessions its business has left, of whatever it bought. */
    sessions_left: v.number(),
  }),
);
export type Membership = v.InferOutput<typeof memberships>[number];

export const listMemberships = (db: Db): Promise<Membership[]> =>
  rpc(db, 'list_memberships', memberships);
