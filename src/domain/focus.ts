/** Focus areas and their actions: states, what can be chosen, and what an action starts from. */

/** So many areas at a time; the database refuses a fourth. */
export const MOST_FOCUS_AREAS = 3;

export const FOCUS_STATES = ['open', 'ended'] as const;
export type FocusState = (typeof FOCUS_STATES)[number];

export const ACTION_STATES = ['open', 'done', 'dropped'] as const;
export type ActionState = (typeof ACTION_STATES)[number];

interface Action {
  state: ActionState;
  question_key: string | null;
}

interface Area {
  area_key: string;
  state: FocusState;
  actions: readonly Action[];
}

interface Scored {
  key: string;
  score: number | null;
  /** Its place among the recommended areas, 1 to 3. */
  recommended: number | null;
}

/** The action that is open, if any. */
export const openActionOf = <Each extends Action>({ actions }: { actions: readonly Each[] }) =>
  actions.find(({ state }) => state === 'open');

/** The areas that are worked on. */
export const openAreas = <Each extends { state: FocusState }>(areas: readonly Each[]) =>
  areas.filter(({ state }) => state === 'open');

/**
 * Areas that can be chosen: those with a score that are not worked on yet; the recommended ones
 * first, in their order, then the others, weakest first.
 */
export function focusChoices<Each extends Scored>(
  scored: readonly Each[],
  areas: readonly Area[],
): Each[] {
  const taken = new Set(openAreas(areas).map(({ area_key }) => area_key));
  return scored
    .filter(({ key, score }) => score !== null && !taken.has(key))
    .toSorted(
      (a, b) => (a.recommended ?? 9) - (b.recommended ?? 9) || (a.score ?? 0) - (b.score ?? 0),
    );
}

/** What the next action could be: about the weakest practice, unless that was just finished. */
export function suggestedAction(
  practice: { question_key: string; action: string } | null | undefined,
  area?: Area,
): { questionKey: string; body: string } | null {
  if (!practice) return null;
  const known = area?.actions.some(({ question_key }) => question_key === practice.question_key);
  return known ? null : { questionKey: practice.question_key, body: practice.action };
}

/** How many actions were finished, in words: "2 done, 1 dropped"; null without any. */
export function settledText({ actions }: Area): string | null {
  const count = (wanted: ActionState) => actions.filter(({ state }) => state === wanted).length;
  const [done, dropped] = [count('done'), count('dropped')];
  const parts = [done > 0 && `${done} done`, dropped > 0 && `${dropped} dropped`].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}
