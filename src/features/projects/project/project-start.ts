/** The starting values of the form for a new project. */

import type { ProjectInput, ProjectStart } from '#data/projects.ts';
import { addDays, dayText } from '#lib/locale/dates.ts';
import type { RecommendedProject } from '#lib/routing/recommended-project.ts';

export interface StartOptions {
  start: ProjectStart;
  /** What a coach recommends; null if the form starts from something else. */
  recommended?: RecommendedProject | null;
  /** The area in the URL, for a form that doesn't start from an action. */
  area: string;
  today: string;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** Days to get a recommended action done. */
const ACTION_DAYS = 30;

/**
 * Turns the recommended action or project that led here into a draft; without one, it only sets the
 * area.
 */
export function projectDraft({
  start,
  recommended,
  area,
  today,
  timeZone,
}: StartOptions): Partial<ProjectInput> {
  const { from, areas, engagements } = start;
  // Leave out fields without a starting value, so they keep what was typed before hydration.
  const blank: Partial<ProjectInput> = {
    ...(areas.some(({ key }) => key === area) ? { areaKey: area } : {}),
    ...(engagements.length === 0 ? { engagementId: '' } : {}),
  };
  if (recommended) {
    const engagement = engagements.find(({ id }) => id === recommended.engagementId);
    return {
      ...blank,
      title: recommended.title,
      ...(engagement && { engagementId: engagement.id }),
    };
  }
  if (!from) return blank;
  const areaName = areas.find(({ key }) => key === from.area_key)?.name ?? from.area_key;
  const score = from.score;
  return {
    ...blank,
    // The practice fits on a card of the board; the action says how to tell that it's done.
    title: from.practice,
    areaKey: from.area_key,
    outcome: measureOf(from),
    ...(score && {
      baseline: `${areaName} scored ${Math.round(score.score)} out of 100 on ${dayText(score.on, timeZone)}.`,
    }),
    startOn: today,
    dueOn: addDays(today, ACTION_DAYS),
  };
}

/** How an action says when it's done: "…; you are done when the first row is full." */
const DONE_WHEN = /(?:^|[;,.] )\s*(?:and )?you(?: are|’re) done when (.+?)\.?$/i;

/** How the owner will know that it worked: where the action says it, and what level 3 looks like. */
function measureOf({ action, goal }: { action: string; goal: string }): string {
  const done = DONE_WHEN.exec(action)?.[1];
  const said = `We can say: “${goal}.”`;
  return done ? `Done when ${done}. ${said}` : said;
}

/** The most steps that a form creates. */
export const MOST_STEPS = 20;

/** The recommended action as steps, one per line; empty without one. */
export function firstSteps({ from }: ProjectStart): string {
  if (!from) return '';
  const action = from.action.replace(DONE_WHEN, '.');
  return action
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/[.;]+$/, '').trim())
    .filter((sentence) => sentence !== '')
    .join('\n');
}

/** The lines of the field for steps, without empty ones. */
export const stepsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What's wrong with the steps, as a sentence; null if nothing is. */
export function stepsProblem(text: string): string | null {
  const steps = stepsIn(text);
  if (steps.length > MOST_STEPS)
    return `Start with at most ${MOST_STEPS} steps. You can add more later.`;
  if (steps.some((step) => step.length > 200)) return 'Keep each step to 200 characters.';
  return null;
}
