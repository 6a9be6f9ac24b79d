/** Where things are in the drawing of the work on a few skills, LoopChart.tsx. */
import type { LoopArea } from '#data/coaching-timeline.ts';
import { dayOf } from '#lib/locale/dates.ts';

const DAY_MS = 86_400_000;
/** The least time that a drawing spans, so that what's a day apart isn't at opposite ends. */
const LEAST_DAYS = 42;
/** Marks of one kind that are closer than this share of the width would cover each other. */
const CLOSE = 0.02;

/** A rise worth a flower: two answer steps, with four questions that apply. */
const LEAST_RISE = 12.5;

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The time axis that all skills share. */
export interface LoopAxis {
  /** An instant's position, from 0 (left) to 1 (right). */
  shareOf: (iso: string) => number;
  /** The first days of months; the labels say the year in January. */
  months: { label: string; share: number }[];
}

/** When anything was done about a skill, apart from quizzes. */
const workOn = (area: LoopArea): string[] => [
  ...(area.focus_at ? [area.focus_at] : []),
  ...area.actions.flatMap(({ at, done_at }) => (done_at ? [at, done_at] : [at])),
  ...area.sessions,
  ...area.tools.map(({ at }) => at),
];

/** Whether anything happened about a skill yet. */
export const hasWork = (area: LoopArea): boolean =>
  area.scores.length > 0 || workOn(area).length > 0;

/**
 * Whether a drawing says more than the list: from the second session or the second quiz on.
 * @param loop the skills with work, `hasWork`
 */
export function isWorthDrawing(loop: readonly LoopArea[]): boolean {
  const sessions = new Set(loop.flatMap((area) => area.sessions));
  return sessions.size > 1 || loop.some(({ scores }) => scores.length > 1);
}

/**
 * The axis from a little before the work until now. Of quizzes before that, only the last one counts:
 * where the work started.
 */
export function loopAxis(loop: readonly LoopArea[], now: string, timeZone: string): LoopAxis {
  const until = Date.parse(now);
  const worked = loop.flatMap(workOn);
  const shown =
    worked.length > 0 ? worked : loop.flatMap(({ scores }) => scores.map(({ at }) => at));
  const first = Math.min(until - LEAST_DAYS * DAY_MS, ...shown.map((at) => Date.parse(at)));
  const from = first - (until - first) * 0.04;
  const share = (instant: number) => Math.min(1, Math.max(0, (instant - from) / (until - from)));
  return {
    shareOf: (iso) => share(Date.parse(iso)),
    months: monthsBetween(from, until, timeZone).map(({ label, at }) => ({
      label,
      share: share(at),
    })),
  };
}

function monthsBetween(from: number, until: number, timeZone: string) {
  const first = dayOf(new Date(from).toISOString(), timeZone);
  const months: { label: string; at: number }[] = [];
  let year = Number(first.slice(0, 4));
  let month = Number(first.slice(5, 7));
  for (;;) {
    const at = Date.UTC(year, month, 1);
    if (at > until) return months;
    month += 1;
    if (month > 12) {
      month = 1;
      year += 1;
    }
    const name = MONTHS[month - 1] ?? '';
    months.push({ label: month === 1 ? `${name} ${year}` : name, at });
  }
}

/** A score from the quiz that gave it until the next one, or until now. */
export interface ScoreStep {
  /** 0 if the quiz was taken before the axis starts. */
  from: number;
  to: number;
  score: number;
  at: string;
  /** Whether it's that much higher than the score before, on the same questions. */
  improved: boolean;
  /** Whether other questions were asked than before, so the two can't be compared. */
  isNewScale: boolean;
}

/** The scores that are on the axis. */
export function stepsOf({ scores }: LoopArea, { shareOf }: LoopAxis): ScoreStep[] {
  const places = scores.map(({ at }) => shareOf(at));
  const first = Math.max(0, places.lastIndexOf(0));
  return scores.slice(first).map(({ at, score, version_number }, n) => {
    const index = first + n;
    const before = n === 0 ? undefined : scores[index - 1];
    const isNewScale = before !== undefined && before.version_number !== version_number;
    return {
      from: places[index] ?? 0,
      to: places[index + 1] ?? 1,
      score,
      at,
      improved: before !== undefined && !isNewScale && score - before.score >= LEAST_RISE,
      isNewScale,
    };
  });
}

/** The score at a position; null before the first. */
export const scoreAt = (steps: readonly ScoreStep[], share: number): number | null =>
  steps.findLast(({ from }) => from <= share)?.score ?? null;

/** The positions of one kind of mark, without those that would cover the one before. */
export function marksOf<Mark>(
  things: readonly Mark[],
  at: (thing: Mark) => string,
  { shareOf }: LoopAxis,
): { thing: Mark; share: number }[] {
  const marks: { thing: Mark; share: number }[] = [];
  for (const thing of things.toSorted((a, b) => Date.parse(at(a)) - Date.parse(at(b)))) {
    const share = shareOf(at(thing));
    const last = marks.at(-1);
    if (!last || share - last.share >= CLOSE) marks.push({ thing, share });
  }
  return marks;
}

/** How the score has changed since the last quiz with other questions, or since the work started. */
export function changeOf(steps: readonly ScoreStep[]): { from: number; to: number } | null {
  const start = steps.findLast(({ isNewScale }) => isNewScale) ?? steps[0];
  const last = steps.at(-1);
  return start && last && start !== last ? { from: start.score, to: last.score } : null;
}
