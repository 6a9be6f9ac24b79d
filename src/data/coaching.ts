/** What owners do about their coaching: ask for it, choose a coach, pause, go on, end it. */
import * as v from 'valibot';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { ownCoach } from './own-coaching.ts';

/** Why a coach fits what an owner asks for. */
export const coachFit = v.union([
  v.object({ kind: v.literal('areas'), keys: v.array(v.string()) }),
  v.object({ kind: v.literal('industry'), industry: v.string() }),
  /** BCP 47. */
  v.object({ kind: v.literal('language'), language: v.string() }),
  /** How many hours their clocks are apart. */
  v.object({ kind: v.literal('time_zone'), hours: v.number() }),
]);
export type CoachFit = v.InferOutput<typeof coachFit>;

export const coachChoice = v.object({
  ...ownCoach.entries,
  industries: v.array(v.string()),
  /** How many more clients they take; null: no limit. */
  room: v.nullable(v.number()),
  fit: v.array(coachFit),
});
export type CoachChoice = v.InferOutput<typeof coachChoice>;

/**
 * Coaches who have room, the best fit first, at most 12.
 * @param asked an open request, or what a new one would be about
 */
export const listCoaches = (
  db: Db,
  asked: { engagementId: string } | { businessId: string; areas: string[] },
): Promise<CoachChoice[]> =>
  rpc(
    db,
    'list_coaches',
    v.array(coachChoice),
    'engagementId' in asked
      ? { p_engagement_id: asked.engagementId }
      : { p_business_id: asked.businessId, p_areas: asked.areas },
  );

export interface CoachingRequest {
  businessId: string;
  note: string;
  areas: string[];
  share: boolean;
  /** Null: we look for someone. */
  coachId: string | null;
}

/**
 * Asks for a coach, by name or not. Idempotent by `id`, which the caller generates. Throws
 * `conflict` if this business already has an open request or engagement, or if that coach no longer
 * has room.
 */
export const requestCoaching = (
  db: Db,
  { id, ...request }: CoachingRequest & { id: string },
): Promise<void> =>
  rpc(db, 'request_coaching', ignored, {
    p_id: id,
    p_business_id: request.businessId,
    p_note: request.note,
    p_areas: request.areas,
    p_share_results: request.share,
    p_coach_id: request.coachId,
  });

/** Asks a coach to take on a request that nobody has. Throws `conflict` if they have no room. */
export const chooseCoach = (db: Db, engagementId: string, coachId: string): Promise<void> =>
  rpc(db, 'choose_coach', ignored, { p_engagement_id: engagementId, p_coach_id: coachId });

/** Gives or revokes the coach's access to submitted results, effective immediately. */
export const setResultsShared = (db: Db, engagementId: string, shared: boolean): Promise<void> =>
  rpc(db, 'set_results_shared', ignored, { p_engagement_id: engagementId, p_shared: shared });

/**
 * Withdraws from coaching in any open state; the coach loses access immediately. Idempotent.
 * Throws `not-found` for another owner's engagement, and `conflict` for one that ended differently.
 */
export const withdrawCoaching = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'withdraw_coaching', ignored, { p_engagement_id: engagementId });

/** The owner or the coach pauses coaching until a day; only staff read the reason. */
export const pauseCoaching = (
  db: Db,
  engagementId: string,
  resumeOn: string,
  reason: string,
): Promise<void> =>
  rpc(db, 'pause_coaching', ignored, {
    p_engagement_id: engagementId,
    p_resume_on: resumeOn,
    p_reason: reason,
  });

/** The owner or the coach picks paused coaching up again. Idempotent. */
export const resumeCoaching = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'resume_coaching', ignored, { p_engagement_id: engagementId });

/**
 * The owner or the coach picks completed coaching up again, within 90 days. Throws `conflict` if
 * the business has other coaching by now.
 */
export const reopenCoaching = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'reopen_coaching', ignored, { p_engagement_id: engagementId });

/** An owner whose coach couldn't reach them is back. Throws like `reopenCoaching`. */
export const resumeContact = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'resume_contact', ignored, { p_engagement_id: engagementId });

/** An owner asks the admins for another coach; the coach isn't told, and only staff read why. */
export const askForOtherCoach = (db: Db, engagementId: string, reason: string): Promise<void> =>
  rpc(db, 'ask_for_other_coach', ignored, { p_engagement_id: engagementId, p_reason: reason });

/** An owner no longer asks for another coach. */
export const keepCoach = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'keep_coach', ignored, { p_engagement_id: engagementId });
