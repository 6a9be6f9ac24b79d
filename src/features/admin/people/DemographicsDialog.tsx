import { type DemographicsSummary, readDemographics } from '#data/people.ts';
import { DEMOGRAPHIC_QUESTIONS } from '#domain/demographics.ts';
import { db } from '#lib/db.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { reportError } from '#stores/session.ts';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useAnswer } from '#ui/use-answer.ts';

/** What people have said about themselves, counted. It brings the dialog's code. */
export function DemographicsDialog({ onClose }: { onClose: () => void }) {
  const { answer, failure, retry } = useAnswer(
    async () => readDemographics(await db()),
    reportError,
    [],
  );
  return (
    <DialogWindow
      open
      onOpenChange={onClose}
      title="Who we reach"
      description="What people chose to say about themselves. An answer shows once five people have given it, and only if no smaller number can be worked out from it."
    >
      <div aria-busy={!answer && !failure} className="flex flex-col gap-6">
        <Failure failure={failure} onRetry={retry} />
        {answer ? <Summary summary={answer} /> : !failure && <Skeleton className="h-40" />}
      </div>
    </DialogWindow>
  );
}

function Summary({ summary: { people, answers } }: { summary: DemographicsSummary }) {
  if (people === null) return <p>Fewer than five people have answered so far.</p>;
  return (
    <>
      <p>{wholeText(people)} people answered at least one question.</p>
      {DEMOGRAPHIC_QUESTIONS.map(({ key, label, answers: options }) => {
        const counts = answers[key] ?? {};
        const shown = options.filter(({ value }) => counts[value] !== undefined);
        return (
          <section key={key} aria-labelledby={`demographics-${key}`}>
            <h3 id={`demographics-${key}`} className="text-sm font-semibold">
              {label}
            </h3>
            {shown.length === 0 ? (
              <p className="text-sm text-muted">Too few answers to show.</p>
            ) : (
              <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-sm">
                {shown.map(({ value, label: name }) => (
                  <div key={value} className="col-span-2 grid grid-cols-subgrid">
                    <dt>{name}</dt>
                    <dd className="text-right tabular-nums">{wholeText(counts[value] ?? 0)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </section>
        );
      })}
    </>
  );
}
