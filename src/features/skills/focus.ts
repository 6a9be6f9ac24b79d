/** What can be worked on: which areas stand to choose, and what an action begins from. */
import type { FocusAction, FocusArea, Standing, StandingArea } from '#data/skills.ts';

/** So many areas at a time; the database refuses a fourth. */
export const MOST_AREAS = 3;

/** The action that is open, if any. */
export const openActionOf = (area: FocusArea): FocusAction | undefined =>
  area.actions.find(({ state }) => state === 'open');

/** The areas that are worked on. */
export const openAreas = (areas: readonly FocusArea[]) =>
  areas.filter(({ state }) => state === 'open');

/**
 * Areas that can be chosen: those with a score that are not worked on yet; the recommended ones
 * first, in their order, then the others, weakest first.
 */
export function choices(standing: Standing | null, areas: readonly FocusArea[]): StandingArea[] {
  const taken = new Set(openAreas(areas).map(({ area_key }) => area_key));
  return (standing?.areas ?? [])
    .filter(({ key, score }) => score !== null && !taken.has(key))
    .toSorted(
      (a, b) =>
        (a.recommended ?? 9) - (b.recommended ?? 9) || (a.score as number) - (b.score as number),
    );
}

/** What the next action could be: about the weakest practice, unless that was just settled. */
export function suggestion(
  standing: StandingArea | undefined,
  area?: FocusArea,
): { questionKey: string; body: string } | null {
  const practice = standing?.practice;
  if (!practice) return null;
  const known = area?.actions.some(({ question_key }) => question_key === practice.question_key);
  return known ? null : { questionKey: practice.question_key, body: practice.action };
}

/** How many actions were settled, in words: "2 done, 1 dropped"; null without any. */
export function settledWords(area: FocusArea): string | null {
  const count = (state: FocusAction['state']) =>
    area.actions.filter((each) => each.state === state).length;
  const [done, dropped] = [count('done'), count('dropped')];
  const parts = [done > 0 && `${done} done`, dropped > 0 && `${dropped} dropped`].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}
