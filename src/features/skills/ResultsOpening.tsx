import type { ReactNode } from 'react';
import type { AttemptView } from '#data/attempts.ts';
import { spokenPractice } from '#domain/spoken-practices.ts';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { useSay } from '#ui/InLanguage.tsx';
import { notTheLowest, openingOf } from './report.ts';
import type { AreaResult } from './results.ts';

/** The result in short: one sentence, the strongest skill, what holds it back most, the next step. */
export function ResultsOpening({ view }: { view: AttemptView }) {
  const say = useSay();
  const { sentence, strongest, constraint, lower } = openingOf(view, say);
  const { mine } = view.attempt;
  const weakest = constraint?.weakest;
  return (
    <section aria-labelledby="in-short">
      <h2 id="in-short" className="sr-only">
        {say('In short')}
      </h2>
      <p className="max-w-[44ch] font-display text-xl leading-snug font-heading [overflow-wrap:anywhere] print:max-w-none print:text-lg">
        {sentence}
      </p>
      <dl className="mt-6 grid gap-x-10 gap-y-5 border-t border-line pt-5 md:grid-cols-3 print:mt-2 print:grid-cols-3 print:gap-5 print:pt-2 print:text-xs">
        {strongest && (
          <Part title={say('The strongest skill')}>
            <AreaLink result={strongest} />
          </Part>
        )}
        {constraint && (
          <Part title={say('What holds it back most')}>
            <AreaLink result={constraint} />
            {weakest && (
              <span className="mt-1 block text-sm text-muted print:text-xs">
                {say('Above all {practice}', {
                  practice: say(spokenPractice(weakest.question.key, weakest.question.practice)),
                })}
              </span>
            )}
            {constraint && lower && (
              <span className="mt-1 block text-sm text-muted print:hidden">
                {notTheLowest(constraint, lower, say)}
              </span>
            )}
          </Part>
        )}
        {weakest?.next && (
          <Part title={say('The next step')}>
            {mine
              ? say('Get to where you can say “{answer}.”', { answer: weakest.next })
              : say('Get to where they can say “{answer}.”', { answer: weakest.next })}
          </Part>
        )}
      </dl>
    </section>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt className="eyebrow">{title}</dt>
    <dd className="mt-1.5">{children}</dd>
  </div>
);

const AreaLink = ({ result: { area, score } }: { result: AreaResult }) => (
  <span className="flex flex-wrap items-baseline gap-x-3">
    <a className="link font-semibold" href={`#area-${area.key}`}>
      {area.name}
    </a>
    <span className="font-semibold figures">{scoreText(score.score)}</span>
    <LevelWord level={score.level} />
  </span>
);
