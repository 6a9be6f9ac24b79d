import type { RefObject } from 'react';
import type { Say } from '#domain/language.ts';
import type { AppError } from '#lib/errors.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { Notice } from '#ui/Notice.tsx';
import type { QuizStore } from './quiz-store.ts';
import { type Given, openSteps, progressOf, type Step, stepId } from './steps.ts';

export interface ReviewStepProps {
  store: QuizStore;
  given: Given;
  unsaved: ReadonlyMap<string, SaveStatus>;
  failure: AppError | null;
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The review before finishing: skipped questions, and answers that the database rejected. */
export function ReviewStep({ store, given, unsaved, failure, heading }: ReviewStepProps) {
  const { steps, kind } = store;
  const say = useSay();
  const { answered, asked } = progressOf(steps, given);
  const left = openSteps(steps, given);
  const refused = steps.filter((step) => unsaved.get(stepId(step))?.name === 'refused');
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="eyebrow">{say('Before you finish')}</p>
        <h1 ref={heading} tabIndex={-1} className="mt-1 text-xl outline-none">
          {left.length === 0
            ? say('Everything’s answered')
            : say('{answered} of {asked} answered', { answered, asked })}
        </h1>
        <p className="mt-2 text-muted">{reviewText(left.length, store, say)}</p>
      </div>
      {refused.length > 0 && (
        <Notice tone="danger" live="assertive" title={say('Not saved')}>
          <StepList steps={refused} store={store} />
        </Notice>
      )}
      {left.length > 0 && <StepList steps={left} store={store} />}
      <Failure failure={failure} />
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <Button size="large" disabled={answered === 0} onClick={() => void store.finish()}>
          {kind === 'first_look' ? say('See your first look') : say('Finish and see your results')}
        </Button>
        <Button variant="quiet" onClick={store.back}>
          {say('Back')}
        </Button>
      </div>
      {answered === 0 && (
        <p className="text-sm text-muted">{say('Answer at least one question first.')}</p>
      )}
    </div>
  );
}

function StepList({ steps, store }: { steps: Step[]; store: QuizStore }) {
  const say = useSay();
  const areas = Map.groupBy(steps, (step) => (step.name === 'review' ? '' : step.area.name));
  return (
    <ul className="divide-y divide-line border-y border-line">
      {[...areas].map(([name, open]) => (
        <li key={name} className="py-2.5 sm:grid sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-4">
          <p className="text-sm text-muted sm:py-2.5">{name}</p>
          <ul>
            {open.map((step) => (
              <li key={stepId(step)}>
                <button
                  type="button"
                  onClick={() => store.go(step)}
                  className="flex min-h-11 w-full items-center py-1.5 text-left text-sm underline decoration-line underline-offset-4 hover:text-primary hover:decoration-current"
                >
                  {wordsOf(step, say)}
                </button>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(step: Step, say: Say): string {
  if (step.name === 'question') return step.question.text;
  return step.name === 'skip' ? step.ask.question : say('How confident you are');
}

/** The introduction of the review. `left` is the number of steps that aren't done. */
export function reviewText(
  left: number,
  { kind, answers }: Pick<QuizStore, 'kind' | 'answers'>,
  say: Say,
): string {
  if (left === 0) {
    return answers.isFinal
      ? say('You can still go back and change answers, but not after you finish.')
      : say('You can change answers now, or after you see the result.');
  }
  return kind === 'full'
    ? say(
        'You haven’t answered these. You can skip them, but an area with too few answers won’t get a score. A blank never counts as a zero.',
      )
    : say('You haven’t answered these. You can skip them; their petals will stay empty.');
}
