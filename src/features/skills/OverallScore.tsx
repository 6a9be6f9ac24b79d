import type { QuizKind } from '#domain/attempt.ts';
import { levelOf } from '#domain/level.ts';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { useSay } from '#ui/InLanguage.tsx';
import { whyNoOverall } from './results.ts';

interface OverallProps {
  /** 0 to 100, unrounded; null if too few areas have a score. */
  overall: number | null;
  kind: QuizKind;
  /** How many areas have a score. */
  scored: number;
}

/** The overall score of an attempt and its level, or why there isn't one. */
export function OverallScore({ overall, kind, scored }: OverallProps) {
  const say = useSay();
  if (overall === null) {
    return (
      <div>
        <p className="font-semibold">{say('No overall score')}</p>
        <p className="mt-0.5 text-sm text-muted">{whyNoOverall(scored, say)}</p>
      </div>
    );
  }
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className="font-display text-3xl leading-none font-heading figures">
        {scoreText(overall)}
      </span>
      <span className="text-sm text-muted">
        {kind === 'full' ? say('out of 100 overall') : say('out of 100 in a first look')}
      </span>
      <LevelWord level={levelOf(overall)} />
    </p>
  );
}
