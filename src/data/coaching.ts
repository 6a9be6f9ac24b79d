/** Coaching engagements: requesting a coach, sharing results with them, and withdrawing. */
import * as v from 'valibot';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const engagement = v.object({
  id: v.string(),
  business_id: v.string(),
  state: v.picklist(ENGAGEMENT_STATES),
  areas: v.array(v.string()),
  note: v.nullable(v.string()),
  results_shared: v.boolean(),
  requested_at: v.string(),
  assigned_at: v.nullable(v.string()),
  coach_id: v.nullable(v.string()),
  /** Null until someone is assigned. */
  coach_name: v.nullable(v.string()),
});
export type Engagement = v.InferOutput<typeof engagement>;

export const coachClient = v.object({
  engagement_id: v.string(),
  state: v.picklist(ENGAGEMENT_STATES),
  business: v.object({ id: v.string(), name: v.string() }),
  owner: v.object({ user_id: v.string(), full_name: v.string() }),
  results_shared: v.boolean(),
  latest_attempt: v.nullable(
    v.object({
      id: v.string(),
      submitted_at: v.string(),
      overall_score: v.nullable(v.number()),
    }),
  ),
});
export type CoachClient = v.InferOutput<typeof coachClient>;

/** An owner's engagements in all their businesses, newest first. */
export async function listEngagements(db: Db): Promise<Engagement[]> {
  return rpc(db, 'my_engagements', v.array(engagement));
}

/**
 * Requests a coach. Idempotent by `request.id`, which the caller generates.
 * Throws `conflict` if this business already has an open request or engagement.
 */
export async function requestCoaching(
  db: Db,
  request: { id: string; businessId: string; note: string; areas: string[]; share: boolean },
): Promise<void> {
  await rpc(db, 'request_coaching', ignored, {
    p_id: request.id,
    p_business_id: request.businessId,
    p_note: request.note,
    p_areas: request.areas,
    p_share_results: request.share,
  });
}

/** Gives or revokes the coach's access to submitted results, effective immediately. */
export async function setResultsShared(
  db: Db,
  engagementId: string,
  shared: boolean,
): Promise<void> {
  await rpc(db, 'set_results_shared', ignored, {
    p_engagement_id: engagementId,
    p_shared: shared,
  });
}

/**
 * Withdraws from coaching in any open state; the coach loses access immediately. Idempotent.
 * Throws `not-found` for another owner's engagement, and `conflict` for one that ended differently.
 */
export async function withdrawCoaching(db: Db, engagementId: string): Promise<void> {
  await rpc(db, 'withdraw_coaching', ignored, { p_engagement_id: engagementId });
}

const coachingPage = v.object({
  /** An owner's, in all their businesses, newest first. */
  engagements: v.array(engagement),
  /** The skill areas that an owner can choose from. */
  areas: v.array(
    v.object({ key: v.string(), name: v.string(), short_name: v.string(), position: v.number() }),
  ),
  /** A coach's, with their latest results if these are shared. */
  clients: v.array(coachClient),
});
export type CoachingPage = v.InferOutput<typeof coachingPage>;
export type SkillArea = CoachingPage['areas'][number];

/** Everything the coaching page shows; what's for people of another role is empty. */
export async function getCoaching(db: Db): Promise<CoachingPage> {
  return rpc(db, 'get_coaching', coachingPage);
}
