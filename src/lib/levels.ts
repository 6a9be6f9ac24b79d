/** The four levels of a skill. */
export type Level = 'starting' | 'developing' | 'established' | 'strong';

/**
 * The level of a score; `private.level_of` in SQL says the same.
 * @param score 0 to 100, unrounded: 24.999 is still Starting
 */
export function levelOf(score: number): Level {
  if (score < 25) return 'starting';
  if (score < 50) return 'developing';
  return score < 75 ? 'established' : 'strong';
}
