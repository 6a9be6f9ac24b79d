import type { AttemptView } from '#data/attempts.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/** A closed attempt without results: it expired, or an admin set it aside. Needs no JavaScript. */
function ClosedScreen({ attempt }: { attempt: AttemptView['attempt'] }) {
  const expired = attempt.state !== 'voided';
  return (
    <section className="card mx-auto flex w-full max-w-[46rem] flex-col items-start gap-4 p-6 sm:p-10">
      <h1 className="text-xl">{expired ? 'This quiz has expired' : 'This result was set aside'}</h1>
      <p className="max-w-[60ch] text-muted">
        {expired
          ? 'Quizzes stay open for 180 days, because older answers say little about today. We’ve kept your answers, but you can’t finish this one.'
          : `Our staff set it aside${attempt.void_reason ? `, for this reason: ${attempt.void_reason}` : '.'}`}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button href={hrefFor('/dashboard/skills/quiz')}>Start a new one</Button>
        <Button variant="secondary" href={hrefFor('/dashboard/skills')}>
          Your skills
        </Button>
      </div>
    </section>
  );
}

export default screen(ClosedScreen);
