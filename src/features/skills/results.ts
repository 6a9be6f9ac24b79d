/** Prepares an attempt's results for display, area by area. The database computed the scores. */

import type { AttemptView, StoredRecommendation, StoredScore } from '#data/attempts.ts';
import type { QuizArea, QuizQuestion } from '#data/quiz.ts';
import type { Result } from '#data/skills.ts';
import { inEnglish, type Say } from '#domain/language.ts';
import { LEAST_SCORED_AREAS, WRITTEN_VALUE } from '#domain/scoring.ts';
import type { SkillScore } from '#ui/charts/levels.ts';
import { rankReason } from './rank.ts';

/** One question and its answer; `value` is null if it wasn't answered or doesn't apply. */
export interface AnsweredQuestion {
  question: QuizQuestion;
  value: number | null;
  applies: boolean;
  /** The text of the option that was chosen, or why there's none. */
  words: string;
}

/** The weakest practice of an area, the option chosen for it, and the one to aim for. */
export interface Weakest {
  question: QuizQuestion;
  /** 0 to 4. */
  value: number;
  chosen: string;
  /** Null at the top of the scale. */
  next: string | null;
}

export interface AreaResult {
  /** The number of the quiz's version, on which the scale depends. */
  version: number;
  area: QuizArea;
  score: StoredScore;
  /** The confidence rating, 1 to 5; null if it wasn't rated. */
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
        version: view.version.number,
        area,
        score,
        rating: ratings.get(area.key) ?? null,
        weakest: weakestOf(view, score.weakest_question_key),
        answers: answered,
      };
    });
}

/** The newest other result of the same kind, or a full one; null if this is the newest. */
export function newerOf({ attempt, others }: Result): Result['others'][number] | null {
  const submitted = Date.parse(attempt.submitted_at ?? attempt.started_at);
  const newer = others
    .filter(({ kind }) => kind === 'full' || kind === attempt.kind)
    .filter(({ submitted_at }) => Date.parse(submitted_at) > submitted)
    .toSorted((a, b) => Date.parse(b.submitted_at) - Date.parse(a.submitted_at));
  return newer[0] ?? null;
}

/** The petals of the bloom chart. */
export function petalsOf(view: AttemptView): SkillScore[] {
  return areaResults(view).map(({ area, score }) => ({
    key: area.key,
    label: area.name,
    short_label: area.short_name,
    score: score.score,
    level: score.level,
    left_out: score.applicable === 0,
  }));
}

/**
 * Finds the weakest practice by its question key, with the option chosen and the next step up. That
 * step is never a habit to get out of, such as "once" or "when something forces it": below level 3,
 * where a practice is done regularly and in writing, it's level 3.
 */
export function weakestOf(view: AttemptView, key: string | null): Weakest | null {
  const question = view.version.questions.find((each) => each.key === key);
  const value = view.answers.find(({ question_key }) => question_key === key)?.value;
  if (!question || value === null || value === undefined) return null;
  return {
    question,
    value,
    chosen: question.anchors[value] ?? '',
    next: question.anchors[Math.max(value + 1, WRITTEN_VALUE)] ?? null,
  };
}

/** An area as its recommendation shows it. */
export interface RecommendedArea {
  key: string;
  name: string;
  score: number | null;
  level: StoredScore['level'];
  /** Whether the owner is working on it. */
  working: boolean;
  weakest: {
    key: string;
    practice: string;
    action: string;
    chosen: string;
    next: string | null;
  } | null;
  /** Why the area ranks where it does, as sentences; null without a score. */
  rank: string | null;
}

/** What the recommendations show: an island's props, so without everything else about the attempt. */
export interface Recommended {
  attemptId: string;
  mine: boolean;
  /** Whether the owner can swap areas: in their latest result. */
  canSwap: boolean;
  areas: RecommendedArea[];
  recommendations: StoredRecommendation[];
}

export function recommendedOf(result: Result, say: Say = inEnglish): Recommended {
  const { attempt, recommendations, focus, projects } = result;
  const results = areaResults(result);
  return {
    attemptId: attempt.id,
    mine: attempt.mine,
    canSwap: attempt.mine && newerOf(result) === null,
    recommendations,
    areas: results.map(({ area, score, weakest }) => ({
      key: area.key,
      name: area.name,
      score: score.score,
      level: score.level,
      working:
        focus.some(({ area_key, state }) => area_key === area.key && state === 'open') ||
        projects.some(({ area_key }) => area_key === area.key),
      weakest: weakest && {
        key: weakest.question.key,
        practice: weakest.question.practice,
        action: weakest.question.action,
        chosen: weakest.chosen,
        next: weakest.next,
      },
      rank: rankReason(area.key, results, say),
    })),
  };
}

/** Areas that could replace a recommended one: scored, and not yet recommended. */
export function alternatives({ areas, recommendations }: Recommended): RecommendedArea[] {
  const taken = new Set(recommendations.map(({ area_key }) => area_key));
  return areas.filter(({ key, score }) => score !== null && !taken.has(key));
}

/** Puts another area at one of the recommended positions. */
export interface Swap {
  position: number;
  areaKey: string;
}

/**
 * The recommendations as they will be after a swap. The database chooses the tool for the weakest
 * practice, so that arrives with its response.
 */
export function withSwap(before: Recommended, { position, areaKey }: Swap): Recommended {
  const reason = before.areas.find(({ key }) => key === areaKey)?.weakest?.key;
  if (!reason) return before;
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
  return { ...before, recommendations: before.recommendations.map(swapped) };
}

/** Why there's no overall score, as a sentence. */
export function whyNoOverall(scored: number, say: Say = inEnglish): string {
  const least = LEAST_SCORED_AREAS;
  if (scored > 1) {
    return say(
      'An overall score needs {least} scored areas, and only {scored} have a score so far.',
      {
        least,
        scored,
      },
    );
  }
  return scored === 0
    ? say('An overall score needs {least} scored areas, and none has a score so far.', { least })
    : say('An overall score needs {least} scored areas, and only one has a score so far.', {
        least,
      });
}

/** Explains a gap between confidence and score in a sentence; null if there's no gap. */
export function confidenceSentence(
  { score, rating }: AreaResult,
  mine: boolean,
  say: Say = inEnglish,
): string | null {
  if (score.confidence_note === null || rating === null) return null;
  const rated = mine
    ? say('you rated your confidence {rating} out of 5', { rating })
    : say('confidence was rated {rating} out of 5', { rating });
  return score.confidence_note === 'check-the-evidence'
    ? say(
        'Check the evidence: {rated}, well above what the answers show. What could you show as proof?',
        { rated },
      )
    : say(
        'Hidden strength: {rated}, well below what the answers show. There’s more in place here than it feels like.',
        { rated },
      );
}

/** Why an area has no score, as a sentence. */
export function whyNoScore(
  { area, score }: AreaResult,
  mine: boolean,
  say: Say = inEnglish,
): string {
  if (score.answered === 0 && score.applicable > 0) {
    return say('None of its questions were answered.');
  }
  if (score.applicable === 0 && area.skip) {
    const { question } = area.skip;
    return mine
      ? say(
          'Your answer to “{question}” was no, so these questions were left out. That doesn’t count against you.',
          { question },
        )
      : say(
          'Their answer to “{question}” was no, so these questions were left out. That doesn’t count against them.',
          { question },
        );
  }
  const { answered, applicable } = score;
  if (applicable === 0) return say('None of its questions apply to this business.');
  return answered === 1
    ? say(
        '1 of the {applicable} questions that apply was answered, which isn’t enough for a score.',
        {
          applicable,
        },
      )
    : say(
        '{answered} of the {applicable} questions that apply were answered, which isn’t enough for a score.',
        { answered, applicable },
      );
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
