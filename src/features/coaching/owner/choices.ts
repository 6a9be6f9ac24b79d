/** Loads the list of coaches to choose from, which most visits don't need. */
export const loadChoices = () => import('./CoachChoices.tsx');
