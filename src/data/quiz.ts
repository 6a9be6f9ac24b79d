/** The quiz itself: its published version, and the way of a visitor's answers to an account. */

import { browserConfig } from '#lib/app-config.ts';
import { AppError, dataOf, toAppError } from '#lib/errors.ts';
import { http } from '#lib/http.ts';
import type { Db } from '#lib/supabase.ts';
import type { VisitorAnswers } from '#lib/visitor-answers.ts';

export type QuizArea = {
  key: string;
  name: string;
  short_name: string;
  position: number;
  /** 1 to 3; raises the priority of a recommendation. */
  importance: number;
};

export type QuizQuestion = {
  /** `<area>.<practice>`, unique in its version. */
  key: string;
  area_key: string;
  practice: string;
  text: string;
  help: string | null;
  position: number;
  /** What the values 0 to 4 mean for this question. */
  anchors: [string, string, string, string, string];
  weight: number;
  /** What someone weak in this practice does in the next 30 days. */
  action: string;
  first_look: boolean;
};

export type QuizVersion = {
  id: string;
  number: number;
  title: string;
  areas: QuizArea[];
  questions: QuizQuestion[];
};

/** Where a visitor's answers went. `first_look_id` is null when they came from the full quiz. */
export type Adopted = { attempt_id: string; first_look_id: string | null };

/** The published version. Throws `not-found` when none is published. */
export async function getQuiz(db: Db): Promise<QuizVersion> {
  return dataOf(await db.rpc('get_quiz')) as unknown as QuizVersion;
}

/**
 * The published version, for a visitor's page that has no use for a client: supabase-js would weigh
 * more than all of the quiz. https://docs.postgrest.org/en/v13/references/api/functions.html
 */
export async function getPublishedQuiz(): Promise<QuizVersion> {
  const { supabaseUrl, publishableKey } = await browserConfig();
  const answer = await http<QuizVersion | null>(`${supabaseUrl}/rest/v1/rpc/get_quiz`, {
    headers: { apikey: publishableKey },
  });
  if (!answer) throw new AppError('not-found');
  return answer;
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
  const answer = await db.rpc('adopt_answers', {
    p_id: id,
    p_version_id: given.version_id,
    p_kind: given.kind,
    p_business_id: businessId as string,
    p_answers: given.answers,
    p_confidences: given.confidences,
  });
  return dataOf(answer) as unknown as Adopted;
}

/**
 * Stores a visitor's answers under a secret that travels in the confirmation link, for 30 days.
 * Throws `rate-limited`, or `invalid` when they are too large or do not fit their version.
 * @param claim at least 32 random bytes, base64url; only its hash is kept
 * @returns the key that the registration names, so that nobody else can use the claim
 */
export async function storeClaim(db: Db, claim: string, given: VisitorAnswers): Promise<string> {
  const { data, error, status } = await db.rpc('store_claim', {
    p_claim: claim,
    p_version_id: given.version_id,
    p_kind: given.kind,
    p_answers: given.answers,
    p_confidences: given.confidences,
  });
  if (error) throw toAppError(error, status);
  return (data as { key: string }).key;
}

/** How many answers the person's registration left under a claim; 0 when there are none (any more). */
export async function countClaimed(db: Db, claim: string): Promise<number> {
  const { data, error, status } = await db.rpc('get_claim', { p_claim: claim });
  if (error) throw toAppError(error, status);
  return (data as { answers: number } | null)?.answers ?? 0;
}

/** Deletes the answers that the person's registration left under a claim. */
export async function removeClaim(db: Db, claim: string): Promise<void> {
  const { error, status } = await db.rpc('remove_claim', { p_claim: claim });
  if (error) throw toAppError(error, status);
}

/** Makes the answers stored under a claim the person's own; null when there are none (any more). */
export async function takeClaim(
  db: Db,
  claim: string,
  id: string,
  businessId: string | null,
): Promise<Adopted | null> {
  const { data, error, status } = await db.rpc('take_claim', {
    p_claim: claim,
    p_id: id,
    p_business_id: businessId as string,
  });
  if (error) throw toAppError(error, status);
  return data as unknown as Adopted | null;
}

/** A secret for {@link storeClaim}: 32 random bytes, base64url. */
export function newClaim(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
