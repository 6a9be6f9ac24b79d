/** Coaching engagements: asking for a coach, who it is, and who may read results. */
import type { EngagementState } from '#domain/engagement.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

export type Engagement = {
  id: string;
  business_id: string;
  state: EngagementState;
  areas: string[];
  note: string | null;
  results_shared: boolean;
  requested_at: string;
  assigned_at: string | null;
  coach_id: string | null;
  /** Null until somebody is assigned. */
  coach_name: string | null;
};

export type CoachClient = {
  engagement_id: string;
  state: EngagementState;
  business: { id: string; name: string };
  owner: { user_id: string; full_name: string };
  results_shared: boolean;
  latest_attempt: { id: string; submitted_at: string; overall_score: number | null } | null;
};

/** The engagements of an owner in all their businesses, newest first, with the coach's name. */
export async function listEngagements(db: Db): Promise<Engagement[]> {
  return dataOf(await db.rpc('my_engagements')) as unknown as Engagement[];
}

/**
 * Asks for a coach. Asking twice with the same id asks once.
 * Throws `conflict` when a request or an engagement of this business is open.
 * @param id made by the sender
 */
export async function requestCoaching(
  db: Db,
  request: { id: string; businessId: string; note: string; areas: string[]; share: boolean },
): Promise<void> {
  const { error, status } = await db.rpc('request_coaching', {
    p_id: request.id,
    p_business_id: request.businessId,
    p_note: request.note,
    p_areas: request.areas,
    p_share_results: request.share,
  });
  if (error) throw toAppError(error, status);
}

/** Lets the coach of an engagement read submitted results, or stops it, at once. */
export async function setResultsShared(
  db: Db,
  engagementId: string,
  shared: boolean,
): Promise<void> {
  const { error, status } = await db.rpc('set_results_shared', {
    p_engagement_id: engagementId,
    p_shared: shared,
  });
  if (error) throw toAppError(error, status);
}

/**
 * Withdraws from coaching in any open state; the coach loses access at once. Withdrawing twice
 * withdraws once. Throws `not-found` for an engagement of another owner and `conflict` for one that
 * has ended otherwise.
 */
export async function withdrawCoaching(db: Db, engagementId: string): Promise<void> {
  const { error, status } = await db.rpc('withdraw_coaching', { p_engagement_id: engagementId });
  if (error) throw toAppError(error, status);
}

/** The people a coach works with, with their latest results where these are shared. */
export async function listClients(db: Db): Promise<CoachClient[]> {
  return dataOf(await db.rpc('coach_clients')) as unknown as CoachClient[];
}
