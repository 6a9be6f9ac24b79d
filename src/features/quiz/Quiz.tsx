import { useStore } from '@nanostores/react';
import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import type { Scored } from '#domain/scoring.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { Ended, Finishing, SignInAgain } from './Finishing.tsx';
import { ConfidenceStep, Question } from './Question.tsx';
import { QuestionMap } from './QuestionMap.tsx';
import { type QuizState, type QuizStore, statusOf } from './quiz-store.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { type Step, stepId } from './steps.ts';
import { useQuizKeys } from './use-quiz-keys.ts';

/** The answer that was chosen before hydration, if any. */
const early =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLInputElement>('#quiz input[name="answer"]:checked')?.value;

export interface ResultProps {
  store: QuizStore;
  scored: Scored;
  heading: RefObject<HTMLHeadingElement | null>;
}

interface QuizProps {
  /** Creates the store; on the server too, where it's only used to render. */
  open: () => QuizStore;
  /** Text below a question. */
  hint?: string;
  /** Renders a result that exists only on this page. */
  Result?: ComponentType<ResultProps>;
}

/** The questions one at a time, the review before finishing, and the ending. */
export function Quiz({ open, hint, Result }: QuizProps) {
  const [store] = useState(open);
  const [live, setLive] = useState(false);
  const state = useStore(store.$state, { ssr: 'initial' });
  const moves = useStore(store.$moves, { ssr: 'initial' });
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    const first = store.$state.get();
    const close = store.open(
      early !== undefined && first.name === 'question' && !opened
        ? { key: first.question.key, value: early === 'none' ? null : Number(early) }
        : undefined,
    );
    opened = true;
    setLive(true);
    return close;
  }, [store]);

  // Focus the heading of each new step; for the first one, only if nothing else has the focus.
  useEffect(() => {
    if (moves > 0) heading.current?.focus();
    else if (document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, [moves]);
  useQuizKeys(store, state);

  return (
    <div
      id="quiz"
      data-live={live || undefined}
      className={classNames(
        'mx-auto w-full',
        state.name === 'finished' ? 'max-w-[58rem]' : 'max-w-[46rem]',
      )}
    >
      {state.name === 'finished' && Result ? (
        <Result store={store} scored={state.scored} heading={heading} />
      ) : (
        <Shown store={store} state={state} heading={heading} />
      )}
      {hint && state.name === 'question' && (
        <p className="mt-4 text-center text-sm text-muted">{hint}</p>
      )}
    </div>
  );
}

/** Whether the choice made before hydration has been applied; it counts only once. */
let opened = false;

interface ShownProps {
  store: QuizStore;
  state: QuizState;
  heading: RefObject<HTMLHeadingElement | null>;
}

function Shown({ store, state, heading }: ShownProps) {
  const given = useStore(store.answers.$given, { ssr: 'initial' });
  const unsaved = useStore(store.answers.$unsaved, { ssr: 'initial' });
  const common = { store, given, heading };
  switch (state.name) {
    case 'finished':
    case 'finishing':
    case 'leaving':
      return (
        <Finishing
          store={store}
          unsaved={unsaved}
          heading={heading}
          done={state.name !== 'finishing'}
        />
      );
    case 'ended':
      return <Ended unsaved={unsaved} heading={heading} />;
  }
  const step = state.name === 'review' ? { name: state.name } : state;
  return (
    <>
      <section className="card p-5 sm:p-8">
        {state.name === 'review' && (
          <ReviewStep {...common} unsaved={unsaved} failure={state.failure} />
        )}
        {state.name === 'question' && <Question {...common} step={state} />}
        {state.name === 'confidence' && <ConfidenceStep {...common} step={state} />}
        {state.name !== 'review' && (
          <Moves store={store} step={state} status={statusOf(state, given, unsaved)} />
        )}
      </section>
      <QuestionMap store={store} given={given} current={stepId(step)} />
    </>
  );
}

interface MovesProps {
  store: QuizStore;
  step: Step;
  status: SaveStatus | null;
}

/** The Back and Next buttons, with the answer's save status between them. */
function Moves({ store, step, status }: MovesProps) {
  const [first] = store.steps;
  return (
    <>
      <div className="mt-6 flex items-center justify-between gap-3">
        <Button
          variant="quiet"
          className="-ml-4"
          onClick={store.back}
          disabled={first && stepId(first) === stepId(step)}
        >
          Back
        </Button>
        <p role="status" className="min-w-0 grow text-center text-xs text-muted">
          <SaveWords status={status} />
        </p>
        <Button onClick={store.next}>Next</Button>
      </div>
      <SaveNotice className="mt-5" status={status} isTitled={false} signIn={<SignInAgain />} />
    </>
  );
}
