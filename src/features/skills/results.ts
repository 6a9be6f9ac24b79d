/** What results say: an attempt read area by area. Nothing is computed here that SQL has scored. */

import type { AttemptView, StoredRecommendation, StoredScore } from '#data/attempts.ts';
import type { QuizArea, QuizQuestion } from '#data/quiz.ts';
import { LEAST_SCORED_AREAS } from '#domain/scoring.ts';
import type { SkillScore } from '#ui/charts/levels.ts';

/** One question and what was said to it; `chosen` is null where nothing was. */
export interface AnsweredQuestion {
  question: QuizQuestion;
  value: number | null;
  applies: boolean;
  /** In words: the anchor that was chosen, or why there is none. */
  words: string;
}

/** The weakest practice of an area and what the next step up would be. */
export interface Weakest {
  question: QuizQuestion;
  chosen: string;
  /** Null at the top of the scale. */
  next: string | null;
}

export interface AreaResult {
  area: QuizArea;
  score: StoredScore;
  /** 1 to 5, or null when it wasn't rated. */
  rating: number | null;
  weakest: Weakest | null;
  answers: AnsweredQuestion[];
}

/** The areas in their order, each with its score, its weakest practice and all its answers. */
export function areaResults(view: AttemptView): AreaResult[] {
  const answers = new Map(view.answers.map((answer) => [answer.question_key, answer]));
  const ratings = new Map(view.confidences.map(({ area_key, rating }) => [area_key, rating]));
  const asked = view.version.questions
    .filter(({ first_look }) => view.attempt.kind === 'full' || first_look)
    .toSorted((a, b) => a.position - b.position);
  return view.version.areas
    .toSorted((a, b) => a.position - b.position)
    .flatMap((area) => {
      const score = view.scores.find(({ area_key }) => area_key === area.key);
      if (!score) return [];
      const answered = asked
        .filter(({ area_key }) => area_key === area.key)
        .map((question) => inWords(question, answers.get(question.key)));
      return {
        area,
        score,
        rating: ratings.get(area.key) ?? null,
        weakest: weakestOf(view, score.weakest_question_key),
        answers: answered,
      };
    });
}

/** The petals of the bloom. */
export function petalsOf(view: AttemptView): SkillScore[] {
  return areaResults(view).map(({ area, score }) => ({
    key: area.key,
    label: area.name,
    short_label: area.short_name,
    score: score.score,
    level: score.level,
  }));
}

/** The weakest practice by the key of its question, with the anchor chosen and the next one up. */
export function weakestOf(view: AttemptView, key: string | null): Weakest | null {
  const question = view.version.questions.find((each) => each.key === key);
  const value = view.answers.find(({ question_key }) => question_key === key)?.value;
  if (!question || value === null || value === undefined) return null;
  return {
    question,
    chosen: question.anchors[value] ?? '',
    next: question.anchors[value + 1] ?? null,
  };
}

/** Areas that could replace a recommended one: scored, and not yet recommended. */
export function alternatives(view: AttemptView): AreaResult[] {
  const taken = new Set(view.recommendations.map(({ area_key }) => area_key));
  return areaResults(view).filter(
    ({ area, score }) => score.score !== null && !taken.has(area.key),
  );
}

/** Another area at one of the three places. */
export interface Swap {
  position: number;
  areaKey: string;
}

/**
 * The view as it will be once another area is at a position. The toolbox item is the
 * database's choice and comes with its answer.
 */
export function withSwap(view: AttemptView, { position, areaKey }: Swap): AttemptView {
  const reason = view.scores.find(({ area_key }) => area_key === areaKey)?.weakest_question_key;
  if (!reason) return view;
  const swapped = (each: StoredRecommendation): StoredRecommendation =>
    each.position === position && each.area_key !== areaKey
      ? {
          ...each,
          area_key: areaKey,
          reason_question_key: reason,
          chosen_by: 'owner',
          toolbox_item: null,
        }
      : each;
  return { ...view, recommendations: view.recommendations.map(swapped) };
}

/** Why there's no overall score, as a sentence. */
export function whyNoOverall(scored: number): string {
  const have = scored === 0 ? 'none has' : scored === 1 ? 'only one has' : `only ${scored} have`;
  return `An overall score needs ${LEAST_SCORED_AREAS} scored areas, and ${have} a score so far.`;
}

/** What a difference between confidence and score means, as a sentence; null where there is none. */
export function confidenceSentence({ score, rating }: AreaResult, mine: boolean): string | null {
  if (score.confidence_note === null || rating === null) return null;
  const rated = mine
    ? `You rated your confidence ${rating} out of 5`
    : `Confidence was rated ${rating} out of 5`;
  return score.confidence_note === 'check-the-evidence'
    ? `Check the evidence: ${lower(rated)}, well above what the answers show. What could you show as proof?`
    : `Hidden strength: ${lower(rated)}, well below what the answers show. There’s more in place here than it feels like.`;
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Why an area has no score, as a sentence. */
export function whyNoScore({ score }: AreaResult): string {
  if (score.answered === 0 && score.applicable > 0) return 'None of its questions were answered.';
  if (score.applicable === 0) return 'None of its questions apply to this business.';
  return `${score.answered} of the ${score.applicable} questions that apply ${score.answered === 1 ? 'was' : 'were'} answered, which isn’t enough for a score.`;
}

function inWords(
  question: QuizQuestion,
  answer: AttemptView['answers'][number] | undefined,
): AnsweredQuestion {
  if (!answer) return { question, value: null, applies: true, words: 'Not answered' };
  const { value, applies } = answer;
  const words = applies ? (question.anchors[value ?? -1] ?? 'Not answered') : 'Doesn’t apply to us';
  return { question, value, applies, words };
}
