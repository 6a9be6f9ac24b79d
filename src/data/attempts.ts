/** Attempts at the quiz: their answers while open, their scores and recommendations when done. */

import type {
  Answer,
  AttemptState,
  Chooser,
  Confidence,
  ConfidenceNote,
  QuizKind,
} from '#domain/attempt.ts';
import type { Level } from '#domain/level.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { QuizVersion } from './quiz.ts';

export type AttemptView = {
  attempt: {
    id: string;
    kind: QuizKind;
    state: AttemptState;
    version_id: string;
    business_id: string | null;
    business_name: string | null;
    owner_name: string;
    /** Whether the person who asks took it; a coach reads one that is not theirs. */
    mine: boolean;
    started_at: string;
    expires_at: string;
    submitted_at: string | null;
    /** When a retake makes sense: 90 days after submitting. */
    retake_after: string | null;
    voided_at: string | null;
    void_reason: string | null;
    /** 0 to 100, unrounded. */
    overall_score: number | null;
  };
  version: QuizVersion;
  answers: Answer[];
  confidences: Confidence[];
  scores: StoredScore[];
  recommendations: StoredRecommendation[];
};

export type StoredScore = {
  area_key: string;
  score: number | null;
  level: Level | null;
  answered: number;
  applicable: number;
  asked: number;
  confidence_note: ConfidenceNote | null;
  weakest_question_key: string | null;
};

export type StoredRecommendation = {
  position: number;
  area_key: string;
  priority: number;
  reason_question_key: string;
  chosen_by: Chooser;
  toolbox_item: {
    slug: string;
    title: string;
    type: string;
    minutes: number;
    summary: string;
  } | null;
};

/** One attempt with everything its page shows, or null when it is not there or not theirs to see. */
export async function getAttempt(db: Db, id: string): Promise<AttemptView | null> {
  const { data, error, status } = await db.rpc('get_attempt', { p_attempt_id: id });
  if (error) throw toAppError(error, status);
  return data as unknown as AttemptView | null;
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
  const { data, error, status } = await (businessId === null
    ? open.is('business_id', null)
    : open.eq('business_id', businessId)
  ).maybeSingle();
  if (error) throw toAppError(error, status);
  return data?.id ?? null;
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
  const answer = await db.rpc('start_attempt', {
    p_id: id,
    p_version_id: versionId,
    p_business_id: businessId as string,
  });
  return (dataOf(answer) as unknown as { id: string }).id;
}

/** The attempt that answers and ratings belong to. */
export type AttemptKey = { attempt_id: string; version_id: string };

/**
 * Saves answers to one or more open attempts. Saving twice changes nothing, and an answer older
 * than the stored one is ignored. Throws `denied` when an attempt is not open or not theirs.
 */
export async function saveAnswers(db: Db, answers: (AttemptKey & Answer)[]): Promise<void> {
  const { error, status } = await db
    .from('answers')
    .upsert(answers, { onConflict: 'attempt_id,question_key' });
  if (error) throw toAppError(error, status);
}

/** Saves how confident the owner is about areas; the same rules as {@link saveAnswers}. */
export async function saveConfidences(
  db: Db,
  confidences: (AttemptKey & Confidence & { rated_at: string })[],
): Promise<void> {
  const { error, status } = await db
    .from('attempt_confidences')
    .upsert(confidences, { onConflict: 'attempt_id,area_key' });
  if (error) throw toAppError(error, status);
}

/**
 * Ends an attempt and scores it, in the database alone. Throws `invalid` when nothing is answered,
 * `conflict` when it is not open any more.
 */
export async function finishAttempt(db: Db, id: string): Promise<AttemptView> {
  return dataOf(await db.rpc('finish_attempt', { p_attempt_id: id })) as unknown as AttemptView;
}

/** Puts another area in the place of a recommended one; throws `conflict` when it is there already. */
export async function swapRecommendation(
  db: Db,
  attemptId: string,
  position: number,
  areaKey: string,
): Promise<AttemptView> {
  const answer = await db.rpc('swap_recommendation', {
    p_attempt_id: attemptId,
    p_position: position,
    p_area_key: areaKey,
  });
  return dataOf(answer) as unknown as AttemptView;
}
