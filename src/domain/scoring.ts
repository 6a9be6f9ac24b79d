/**
 * Quiz scoring as pure functions, used only for previews in the browser. `finish_attempt` computes
 * the stored score in SQL; one test runs both on the same random answers.
 *
 * Every formula and constant comes from the product's rules for the skills quiz. The numbers are a
 * convention, not a validated instrument.
 */
import type { Answer, Confidence, ConfidenceNote, QuizKind } from './attempt.ts';
import { type Level, levelOf } from './level.ts';
import { questionsAsked, type ScoredQuestion, type ScoredVersion } from './questions-asked.ts';

export type AreaScore = {
  area_key: string;
  score: number | null;
  level: Level | null;
  answered: number;
  applicable: number;
  asked: number;
  confidence_note: ConfidenceNote | null;
  weakest_question_key: string | null;
};

export type Recommendation = {
  position: number;
  area_key: string;
  priority: number;
  reason_question_key: string;
};

export type Scored = {
  overall_score: number | null;
  scores: AreaScore[];
  recommendations: Recommendation[];
};

/** The highest answer value: done regularly, measured and improved. */
export const HIGHEST_VALUE = 4;
/** The value of a practice that's done regularly and in writing. */
export const WRITTEN_VALUE = 3;
/** An area needs this many applicable questions to get a score. */
export const LEAST_APPLICABLE = { full: 2, first_look: 1 } as const;
/** And this share of them must be answered. */
export const LEAST_SHARE_ANSWERED = 0.75;
/** The overall score needs this many scored areas, out of eight. */
export const LEAST_SCORED_AREAS = 6;
/** Confidence this many points away from the score gets a note. */
export const CONFIDENCE_GAP = 25;
/** Raises the priority of an area whose owner is overconfident. */
export const OVERCONFIDENCE_FACTOR = 1.25;
export const RECOMMENDATIONS = 3;

/**
 * The score of one area: `100 · Σ(weight · answer) / Σ(weight · 4)` over its applicable, answered
 * questions. A blank never counts as zero: it's left out, and with too many blanks there's no score.
 * @param questions this area's questions in the attempt
 * @param rating how confident the owner is, 1 to 5, or undefined if not rated
 */
export function scoreArea(
  areaKey: string,
  questions: readonly ScoredQuestion[],
  answers: ReadonlyMap<string, Answer>,
  kind: QuizKind,
  rating?: number,
): AreaScore {
  const applicable = questions.filter((each) => answers.get(each.key)?.applies !== false);
  const answered = applicable.flatMap((question) => {
    const value = answers.get(question.key)?.value;
    return value === null || value === undefined ? [] : [{ question, value }];
  });
  const enough =
    applicable.length >= LEAST_APPLICABLE[kind] &&
    answered.length >= LEAST_SHARE_ANSWERED * applicable.length;
  const reached = answered.reduce((sum, { question, value }) => sum + question.weight * value, 0);
  const possible = answered.reduce((sum, { question }) => sum + question.weight * HIGHEST_VALUE, 0);
  const score = enough ? (100 * reached) / possible : null;
  return {
    area_key: areaKey,
    score,
    level: score === null ? null : levelOf(score),
    answered: answered.length,
    applicable: applicable.length,
    asked: questions.length,
    confidence_note: confidenceNote(score, rating),
    weakest_question_key: weakest(answered)?.key ?? null,
  };
}

/** The mean of the scored areas, or null if fewer than six have a score. */
export function overallScore(scores: { score: number | null }[]): number | null {
  const known = scores.flatMap(({ score }) => (score === null ? [] : [score]));
  if (known.length < LEAST_SCORED_AREAS) return null;
  return known.reduce((sum, score) => sum + score, 0) / known.length;
}

/**
 * The note for an area whose confidence rating and score disagree; null if they don't.
 * @param rating 1 to 5, worth `25 · (rating − 1)`
 */
export function confidenceNote(
  score: number | null,
  rating: number | undefined,
): ConfidenceNote | null {
  if (score === null || rating === undefined) return null;
  const gap = 25 * (rating - 1) - score;
  if (gap >= CONFIDENCE_GAP) return 'check-the-evidence';
  return gap <= -CONFIDENCE_GAP ? 'hidden-strength' : null;
}

/** How urgent an area is: more so if it's weak, important or overrated by its owner. */
export function priorityOf(score: number, importance: number, note: ConfidenceNote | null): number {
  return (100 - score) * importance * (note === 'check-the-evidence' ? OVERCONFIDENCE_FACTOR : 1);
}

/**
 * Area scores, the overall score and up to three recommended areas for one set of answers. Areas
 * without a score aren't recommended; equal priorities are ordered by the areas' positions.
 */
export function scoreAttempt(
  version: ScoredVersion,
  kind: QuizKind,
  answers: Answer[],
  confidences: Confidence[],
): Scored {
  const byQuestion = new Map(answers.map((answer) => [answer.question_key, answer]));
  const ratings = new Map(confidences.map(({ area_key, rating }) => [area_key, rating]));
  const asked = questionsAsked(version, kind);
  const areas = version.areas
    .toSorted((a, b) => a.position - b.position)
    .filter((area) => asked.some((question) => question.area_key === area.key));
  const scored = areas.map((area) => ({
    area,
    result: scoreArea(
      area.key,
      asked.filter((question) => question.area_key === area.key),
      byQuestion,
      kind,
      ratings.get(area.key),
    ),
  }));
  const recommendations = scored
    .flatMap(({ area, result }) =>
      result.score === null || result.weakest_question_key === null
        ? []
        : [
            {
              area_key: area.key,
              priority: priorityOf(result.score, area.importance, result.confidence_note),
              reason_question_key: result.weakest_question_key,
            },
          ],
    )
    // Nine decimals, as in the database, so that rounding errors (of thirds, say) don't break a tie.
    .toSorted((a, b) => Math.round((b.priority - a.priority) * 1e9))
    .slice(0, RECOMMENDATIONS)
    .map((each, index) => ({ position: index + 1, ...each }));
  const scores = scored.map(({ result }) => result);
  return { overall_score: overallScore(scores), scores, recommendations };
}

/** The weakest practice: lowest value, then highest weight, then first in the quiz. */
function weakest(
  answered: { question: ScoredQuestion; value: number }[],
): ScoredQuestion | undefined {
  return answered.toSorted(
    (a, b) =>
      a.value - b.value ||
      b.question.weight - a.question.weight ||
      a.question.position - b.question.position,
  )[0]?.question;
}
