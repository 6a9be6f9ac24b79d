/** Focus areas and their actions: states, which areas can be chosen, and suggested actions. */

/** Open focus areas at the same time; the database rejects a fourth. */
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
  /** Rank among the recommended areas, 1 to 3. */
  recommended: number | null;
}

/** The open action, if any. */
export const openActionOf = <Each extends Action>({ actions }: { actions: readonly Each[] }) =>
  actions.find(({ state }) => state === 'open');

/** The areas the owner is working on. */
export const openAreas = <Each extends { state: FocusState }>(areas: readonly Each[]) =>
  areas.filter(({ state }) => state === 'open');

/**
 * The areas an owner can choose: scored, and not open yet. Recommended areas come first, by rank,
 * then the others from the weakest up.
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

/** Suggests the action for the weakest practice, unless this focus area already had one for it. */
export function suggestedAction(
  practice: { question_key: string; action: string } | null | undefined,
  area?: Area,
): { questionKey: string; body: string } | null {
  if (!practice) return null;
  const known = area?.actions.some(({ question_key }) => question_key === practice.question_key);
  return known ? null : { questionKey: practice.question_key, body: practice.action };
}

/** Summarizes closed actions: "2 done, 1 dropped"; null if there are none. */
export function settledText({ actions }: Area): string | null {
  const count = (wanted: ActionState) => actions.filter(({ state }) => state === wanted).length;
  const [done, dropped] = [count('done'), count('dropped')];
  const parts = [done > 0 && `${done} done`, dropped > 0 && `${dropped} dropped`].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}
