/** The four levels of a skill. */
export const LEVELS = ['starting', 'developing', 'established', 'strong'] as const;
export type Level = (typeof LEVELS)[number];

export const LEVEL_LABELS: Record<Level, string> = {
  starting: 'Starting',
  developing: 'Developing',
  established: 'Established',
  strong: 'Strong',
};

/**
 * The level of a score. Keep in step with `private.level_of` in SQL.
 * @param score 0 to 100, unrounded: 24.999 is still Starting
 */
export function levelOf(score: number): Level {
  if (score < 25) return 'starting';
  if (score < 50) return 'developing';
  return score < 75 ? 'established' : 'strong';
}
