/** Quiz attempts: their kinds and states, and the answers and ratings a user gives. */

export const QUIZ_KINDS = ['full', 'first_look'] as const;
export type QuizKind = (typeof QUIZ_KINDS)[number];

export const KIND_LABELS: Record<QuizKind, string> = {
  full: 'Full quiz',
  first_look: 'First look',
};

export const ATTEMPT_STATES = ['in_progress', 'submitted', 'expired', 'voided'] as const;

/** One answer: `value` is 0 to 4, or null exactly when `applies` is false. */
export type Answer = {
  question_key: string;
  value: number | null;
  applies: boolean;
  /** ISO 8601, UTC. Of two answers to the same question, the newer one counts. */
  answered_at: string;
};

/** How sure the owner is about one area: `rating` is 1 (a guess) to 5 (could prove it). */
export type Confidence = { area_key: string; rating: number };

const isWholeUpTo = (most: number, value: unknown): value is number =>
  Number.isInteger(value) && 0 <= Number(value) && Number(value) <= most;

/** Whether a value that was stored or received is an answer. */
export function isAnswer(given: unknown): given is Answer {
  const { question_key, value, applies, answered_at } = Object(given) as Record<string, unknown>;
  return (
    typeof question_key === 'string' &&
    typeof answered_at === 'string' &&
    !Number.isNaN(Date.parse(answered_at)) &&
    (applies === true ? isWholeUpTo(4, value) : applies === false && value === null)
  );
}

/** The same for a confidence rating. */
export function isConfidence(given: unknown): given is Confidence {
  const { area_key, rating } = Object(given) as Record<string, unknown>;
  return typeof area_key === 'string' && isWholeUpTo(5, rating) && rating > 0;
}

/** Notes for areas whose confidence rating and score are far apart. */
export const CONFIDENCE_NOTES = ['check-the-evidence', 'hidden-strength'] as const;
export type ConfidenceNote = (typeof CONFIDENCE_NOTES)[number];

/** Who chose the recommended area. */
export const CHOOSERS = ['quiz', 'owner'] as const;
