import type { AttemptView } from '#data/attempts.ts';
import { sayer, type Texts } from '#domain/language.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

interface ClosedProps {
  attempt: AttemptView['attempt'];
  /** The texts in the reader's language, if it isn't English. */
  words?: Texts | undefined;
}

/** A closed attempt without results: it expired, or an admin set it aside. Needs no JavaScript. */
function ClosedScreen({ attempt, words }: ClosedProps) {
  const say = sayer(words);
  const expired = attempt.state !== 'voided';
  return (
    <section className="card mx-auto flex w-full max-w-[46rem] flex-col items-start gap-4 p-6 sm:p-10">
      <h1 className="text-xl">
        {expired ? say('This quiz has expired') : say('This result was set aside')}
      </h1>
      <p className="max-w-[60ch] text-muted">
        {expired
          ? say(
              'Quizzes stay open for 180 days, because older answers say little about today. We’ve kept your answers, but you can’t finish this one.',
            )
          : attempt.void_reason
            ? say('Our staff set it aside, for this reason: {reason}', {
                reason: attempt.void_reason,
              })
            : say('Our staff set it aside.')}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button href={hrefFor('/dashboard/skills/quiz')}>{say('Start a new one')}</Button>
        <Button variant="secondary" href={hrefFor('/dashboard/skills')}>
          {say('Your skills')}
        </Button>
      </div>
    </section>
  );
}

export default screen(ClosedScreen);
