/** Attempts at the quiz: their answers while open, their scores and recommendations when done. */
import * as v from 'valibot';
import {
  type Answer,
  ATTEMPT_STATES,
  CHOOSERS,
  CONFIDENCE_NOTES,
  type Confidence,
  QUIZ_KINDS,
} from '#domain/attempt.ts';
import { LEVELS } from '#domain/level.ts';
import { answer, confidence } from '#lib/browser/visitor-answers.ts';
import { settle } from '#lib/errors.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { quizVersion } from './quiz.ts';

export const storedScore = v.object({
  area_key: v.string(),
  score: v.nullable(v.number()),
  level: v.nullable(v.picklist(LEVELS)),
  answered: v.number(),
  applicable: v.number(),
  asked: v.number(),
  confidence_note: v.nullable(v.picklist(CONFIDENCE_NOTES)),
  weakest_question_key: v.nullable(v.string()),
});
export type StoredScore = v.InferOutput<typeof storedScore>;

export const storedRecommendation = v.object({
  position: v.number(),
  area_key: v.string(),
  priority: v.number(),
  reason_question_key: v.string(),
  chosen_by: v.picklist(CHOOSERS),
  toolbox_item: v.nullable(
    v.object({
      slug: v.string(),
      title: v.string(),
      type: v.string(),
      minutes: v.number(),
      summary: v.string(),
    }),
  ),
});
export type StoredRecommendation = v.InferOutput<typeof storedRecommendation>;

export const attemptView = v.object({
  attempt: v.object({
    id: v.string(),
    kind: v.picklist(QUIZ_KINDS),
    state: v.picklist(ATTEMPT_STATES),
    version_id: v.string(),
    business_id: v.nullable(v.string()),
    business_name: v.nullable(v.string()),
    owner_name: v.string(),
    /** Whether the person who asks took it; a coach reads one that is not theirs. */
    mine: v.boolean(),
    started_at: v.string(),
    expires_at: v.string(),
    submitted_at: v.nullable(v.string()),
    /** When a retake makes sense: 90 days after submitting. */
    retake_after: v.nullable(v.string()),
    voided_at: v.nullable(v.string()),
    void_reason: v.nullable(v.string()),
    /** 0 to 100, unrounded. */
    overall_score: v.nullable(v.number()),
  }),
  version: quizVersion,
  answers: v.array(answer),
  confidences: v.array(confidence),
  scores: v.array(storedScore),
  recommendations: v.array(storedRecommendation),
});
export type AttemptView = v.InferOutput<typeof attemptView>;

/** One attempt with everything its page shows, or null when it is not there or not theirs to see. */
export async function getAttempt(db: Db, id: string): Promise<AttemptView | null> {
  return rpc(db, 'get_attempt', v.nullable(attemptView), { p_attempt_id: id });
}

/** The id of the full quiz that is open for a person in one business (null: in none yet). */
export async function getOpenAttemptId(
  db: Db,
  userId: string,
  businessId: string | null,
): Promise<string | null> {
  const open = db
    .from('attempts')
    .select('id')
    .eq('user_id', userId)
    .eq('state', 'in_progress')
    .eq('kind', 'full')
    .gt('expires_at', new Date().toISOString());
  const inBusiness =
    businessId === null ? open.is('business_id', null) : open.eq('business_id', businessId);
  const answer = await inBusiness.maybeSingle();
  settle(answer);
  return answer.data?.id ?? null;
}

/**
 * Opens an attempt, or gives the one that is open already.
 * @param id made by the sender
 * @returns the id of the attempt, which differs from `id` when one was open
 */
export async function startAttempt(
  db: Db,
  id: string,
  versionId: string,
  businessId: string | null,
): Promise<string> {
  const started = await rpc(db, 'start_attempt', v.object({ id: v.string() }), {
    p_id: id,
    p_version_id: versionId,
    p_business_id: businessId,
  });
  return started.id;
}

/** The attempt that answers and ratings belong to. */
export type AttemptKey = { attempt_id: string; version_id: string };

/**
 * Saves answers to one or more open attempts. Saving twice changes nothing, and an answer older
 * than the stored one is ignored. Throws `denied` when an attempt is not open or not theirs.
 */
export async function saveAnswers(db: Db, answers: (AttemptKey & Answer)[]): Promise<void> {
  settle(await db.from('answers').upsert(answers, { onConflict: 'attempt_id,question_key' }));
}

/** Saves how confident the owner is about areas; the same rules as {@link saveAnswers}. */
export async function saveConfidences(
  db: Db,
  confidences: (AttemptKey & Confidence & { rated_at: string })[],
): Promise<void> {
  const onConflict = 'attempt_id,area_key';
  settle(await db.from('attempt_confidences').upsert(confidences, { onConflict }));
}

/**
 * Ends an attempt and scores it, in the database alone. Throws `invalid` when nothing is answered,
 * `conflict` when it is not open any more.
 */
export async function finishAttempt(db: Db, id: string): Promise<AttemptView> {
  return rpc(db, 'finish_attempt', attemptView, { p_attempt_id: id });
}

/** Puts another area in the place of a recommended one; throws `conflict` when it is there already. */
export async function swapRecommendation(
  db: Db,
  attemptId: string,
  position: number,
  areaKey: string,
): Promise<AttemptView> {
  return rpc(db, 'swap_recommendation', attemptView, {
    p_attempt_id: attemptId,
    p_position: position,
    p_area_key: areaKey,
  });
}
