/** Colors of the four levels, and how scores are displayed. */
import type { Level } from '#domain/level.ts';

/** Why there's no score, in place of a level. */
export const NOT_ENOUGH = 'Not enough answers';
export const LEFT_OUT = 'Doesn’t apply';

export const levelFill: Record<Level, string> = {
  starting: 'fill-level-starting',
  developing: 'fill-level-developing',
  established: 'fill-level-established',
  strong: 'fill-level-strong',
};

export const levelText: Record<Level, string> = {
  starting: 'text-level-starting-ink',
  developing: 'text-level-developing-ink',
  established: 'text-level-established-ink',
  strong: 'text-level-strong-ink',
};

/** One area's score, as charts use it. */
export interface SkillScore {
  key: string;
  label: string;
  short_label: string;
  /** 0 to 100, unrounded; null without enough answers. */
  score: number | null;
  level: Level | null;
  /** Whether none of its questions applies, so that there's nothing to score. */
  left_out?: boolean;
}

/** Formats a score: a whole number, or a dash. */
export function scoreText(score: number | null): string {
  return score === null ? '–' : String(Math.round(score));
}
