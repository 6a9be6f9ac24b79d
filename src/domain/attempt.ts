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

/** Notes for areas whose confidence rating and score are far apart. */
export const CONFIDENCE_NOTES = ['check-the-evidence', 'hidden-strength'] as const;
export type ConfidenceNote = (typeof CONFIDENCE_NOTES)[number];

/** Who chose the recommended area. */
export const CHOOSERS = ['quiz', 'owner'] as const;
