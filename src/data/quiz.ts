/** The quiz itself: its published version, and the way of a visitor's answers to an account. */

import * as v from 'valibot';
import type { VisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { ignored, rpc, visitorRpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const quizArea = v.object({
  key: v.string(),
  name: v.string(),
  short_name: v.string(),
  position: v.number(),
  /** 1 to 3; raises the priority of a recommendation. */
  importance: v.number(),
});
export type QuizArea = v.InferOutput<typeof quizArea>;

export const quizQuestion = v.object({
  /** `<area>.<practice>`, unique in its version. */
  key: v.string(),
  area_key: v.string(),
  practice: v.string(),
  text: v.string(),
  help: v.nullable(v.string()),
  position: v.number(),
  /** What the values 0 to 4 mean for this question. */
  anchors: v.strictTuple([v.string(), v.string(), v.string(), v.string(), v.string()]),
  weight: v.number(),
  /** What someone weak in this practice does in the next 30 days. */
  action: v.string(),
  first_look: v.boolean(),
});
export type QuizQuestion = v.InferOutput<typeof quizQuestion>;

export const quizVersion = v.object({
  id: v.string(),
  number: v.number(),
  title: v.string(),
  areas: v.array(quizArea),
  questions: v.array(quizQuestion),
});
export type QuizVersion = v.InferOutput<typeof quizVersion>;

/** Where a visitor's answers went. `first_look_id` is null when they came from the full quiz. */
export const adopted = v.object({ attempt_id: v.string(), first_look_id: v.nullable(v.string()) });
export type Adopted = v.InferOutput<typeof adopted>;

/** The published version. Throws `not-found` when none is published. */
export async function getQuiz(db: Db): Promise<QuizVersion> {
  return rpc(db, 'get_quiz', quizVersion);
}

/** The published version, for a visitor's page. Throws like `getQuiz`. */
export async function getPublishedQuiz(): Promise<QuizVersion> {
  return visitorRpc('get_quiz', quizVersion);
}

/**
 * Makes a visitor's answers the attempt of the person who is signed in. Doing it again with the
 * same id gives the same attempt; an answer that the open attempt already has stays.
 * @param id made by the browser, kept until this succeeded
 */
export async function adoptAnswers(
  db: Db,
  id: string,
  given: VisitorAnswers,
  businessId: string | null,
): Promise<Adopted> {
  return rpc(db, 'adopt_answers', adopted, {
    p_id: id,
    p_version_id: given.version_id,
    p_kind: given.kind,
    p_business_id: businessId,
    p_answers: given.answers,
    p_confidences: given.confidences,
  });
}

/**
 * Stores a visitor's answers under a secret that travels in the confirmation link, for 30 days.
 * Throws `rate-limited`, or `invalid` when they are too large or do not fit their version.
 * @param claim at least 32 random bytes, base64url; only its hash is kept
 * @returns the key that the registration names, so that nobody else can use the claim
 */
export async function storeClaim(db: Db, claim: string, given: VisitorAnswers): Promise<string> {
  const { key } = await rpc(
    db,
    'store_claim',
    v.object({ key: v.string(), expires_at: v.string() }),
    {
      p_claim: claim,
      p_version_id: given.version_id,
      p_kind: given.kind,
      p_answers: given.answers,
      p_confidences: given.confidences,
    },
  );
  return key;
}

const claimed = v.nullable(v.object({ answers: v.number(), stored_at: v.string() }));

/** How many answers the person's registration left under a claim; 0 when there are none (any more). */
export async function countClaimed(db: Db, claim: string): Promise<number> {
  const found = await rpc(db, 'get_claim', claimed, { p_claim: claim });
  return found?.answers ?? 0;
}

/** Deletes the answers that the person's registration left under a claim. */
export async function removeClaim(db: Db, claim: string): Promise<void> {
  await rpc(db, 'remove_claim', ignored, { p_claim: claim });
}

/** Makes the answers stored under a claim the person's own; null when there are none (any more). */
export async function takeClaim(
  db: Db,
  claim: string,
  id: string,
  businessId: string | null,
): Promise<Adopted | null> {
  return rpc(db, 'take_claim', v.nullable(adopted), {
    p_claim: claim,
    p_id: id,
    p_business_id: businessId,
  });
}

/** A secret for {@link storeClaim}: 32 random bytes, base64url. */
export function newClaim(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
