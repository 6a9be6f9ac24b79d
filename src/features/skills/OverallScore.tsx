import type { AttemptView } from '#data/attempts.ts';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { levelOf, scoreText } from '#ui/charts/levels.ts';
import { whyNoOverall } from './results.ts';

/** The one number of an attempt and its level in words, or why there is none. */
export function OverallScore({ view }: { view: AttemptView }) {
  const overall = view.attempt.overall_score;
  if (overall === null) {
    return (
      <div>
        <p className="font-semibold">No overall number</p>
        <p className="mt-0.5 text-sm text-muted">{whyNoOverall(view)}</p>
      </div>
    );
  }
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className="font-display text-3xl leading-none font-heading figures">
        {scoreText(overall)}
      </span>
      <span className="text-sm text-muted">
        {view.attempt.kind === 'full' ? 'of 100 overall' : 'of 100 at first look'}
      </span>
      <LevelWord level={levelOf(overall)} />
    </p>
  );
}
