import { useMemo } from 'react';
import type { QuizArea } from '#data/quiz.ts';
import type { Say } from '#domain/language.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { type SkillScore, scoreText } from '#ui/charts/levels.ts';
import { useSay } from '#ui/InLanguage.tsx';
import { petalsOf } from './petals.ts';
import type { StepProps } from './Question.tsx';
import { type Given, isDone } from './steps.ts';

interface PauseProps extends Omit<StepProps<never>, 'step'> {
  /** The area that's done. */
  area: QuizArea;
}

/** The result of the answers so far, as the database will compute it. */
export function scoreGiven({ version, kind }: PauseProps['store'], { answers, ratings }: Given) {
  const confidences = [...ratings].map(([area_key, rating]) => ({ area_key, rating }));
  return scoreAttempt(version, kind, [...answers.values()], confidences);
}

/** A rest between two areas: the petal of the one that's done grows. One key or tap goes on. */
export function Pause({ store, given, heading, area }: PauseProps) {
  const say = useSay();
  const petals = useMemo(() => petalsOf(store.version, scoreGiven(store, given)), [store, given]);
  const isOver = (key: string) =>
    store.steps.every((step) => !('area' in step) || step.area.key !== key || isDone(step, given));
  const done = petals.filter(({ key }) => isOver(key)).length;
  const following = petals.find(({ key }) => !isOver(key));
  const petal = petals.find(({ key }) => key === area.key);
  return (
    <section className="card flex flex-col items-center gap-5 p-6 text-center max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none sm:p-10">
      {/* The sentence below says what the new petal shows. */}
      <div aria-hidden="true" className="w-full max-w-60 sm:max-w-72">
        <Bloom petals={petals} grow={area.key} bare />
      </div>
      <div>
        <p className="eyebrow">{say('{done} of {all} skills', { done, all: petals.length })}</p>
        <h1 ref={heading} tabIndex={-1} className="mt-1 text-xl outline-none">
          {say('{area}: done', { area: area.name })}
        </h1>
        {petal && <p className="mt-2">{petalText(petal, say)}</p>}
        {following && (
          <p className="mt-1 text-sm text-muted">
            {say('Up next: {area}', { area: following.label })}
          </p>
        )}
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <Button variant="quiet" onClick={store.back}>
          {say('Back')}
        </Button>
        <Button size="large" onClick={store.next}>
          {say('Continue')}
        </Button>
      </div>
    </section>
  );
}

function petalText({ score, left_out }: SkillScore, say: Say): string {
  if (score !== null) {
    return say('Your answers put it at {score} out of 100.', { score: scoreText(score) });
  }
  return left_out
    ? say('None of it applies to you, so its petal stays empty.')
    : say('Too few of its questions apply for a score, so its petal stays empty.');
}
