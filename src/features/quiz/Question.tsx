import type { MouseEvent, RefObject } from 'react';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { Progress } from '#ui/Progress.tsx';
import type { QuizStore } from './quiz-store.ts';
import { type Given, progressOf, type Step, stepId } from './steps.ts';
import { LETTERS } from './use-quiz-keys.ts';

type Asking = Exclude<Step, { name: 'review' }>;

export interface StepProps<S> {
  step: S;
  store: QuizStore;
  given: Given;
  /** Gets the focus at each new step. */
  heading: RefObject<HTMLHeadingElement | null>;
}

interface StepHeadProps extends Pick<StepProps<Asking>, 'step' | 'store' | 'given'> {
  /** The position within the area: "3 of 4". */
  place: string;
}

/** The way back, the area, the position in it, and the progress through the whole quiz. */
export function StepHead({ step, store, given, place }: StepHeadProps) {
  const say = useSay();
  const { answered, asked } = progressOf(store.steps, given);
  const [first] = store.steps;
  return (
    <div className="mb-3 sm:mb-6">
      <div className="flex items-center gap-2 text-xs text-muted sm:mb-1 sm:text-sm">
        <button
          type="button"
          className="-ml-2.5 flex min-h-11 shrink-0 items-center gap-1 rounded-control px-2.5 text-primary hover:bg-primary-soft disabled:invisible"
          onClick={store.back}
          disabled={first && stepId(first) === stepId(step)}
        >
          <span aria-hidden="true">‹</span> {say('Back')}
        </button>
        <p className="flex grow items-baseline justify-end gap-2.5 text-right leading-tight">
          <span>{step.area.name}</span>
          <span className="shrink-0 figures">{place}</span>
        </p>
      </div>
      <Progress
        value={answered}
        max={asked}
        label={say('Questions answered')}
        text={say('{answered} of {asked} questions answered', { answered, asked })}
      />
    </div>
  );
}

/**
 * Goes on after a tap or click on a card. Radio buttons also report a click for arrow keys and the
 * space bar, but without a count: people who choose that way stay and press Enter.
 */
export const advanceOnTap =
  (store: QuizStore) =>
  ({ detail, target }: MouseEvent) => {
    if (detail > 0 && target instanceof Element && target.closest('label')) store.advance();
  };

interface QuestionProps extends StepProps<Extract<Step, { name: 'question' }>> {
  /** Its heading: below an intro's, it's the second one of the page. */
  level?: 'h1' | 'h2';
}

/** One question with its five answers and "doesn't apply to us". */
export function Question(props: QuestionProps) {
  const { step, store, given, heading, level: Heading = 'h1' } = props;
  const { question, number, of } = step;
  const say = useSay();
  const answer = given.answers.get(question.key);
  return (
    <>
      <StepHead {...props} place={say('{number} of {of}', { number, of })} />
      {/* The store restores the choice after a reload, so the browser must not. A form with the
      method "dialog" sends nothing. */}
      <form method="dialog" autoComplete="off">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys choose without going on, see above */}
        <fieldset
          className="flex flex-col gap-1.5 sm:gap-2.5"
          onClick={advanceOnTap(store)}
          aria-describedby={question.help ? 'question-help' : undefined}
        >
          <legend className="mb-1.5 sm:mb-4">
            <Heading
              ref={heading}
              tabIndex={-1}
              className="text-lg leading-tight outline-none sm:text-xl"
            >
              {question.text}
            </Heading>
          </legend>
          {question.help && (
            <p
              id="question-help"
              className="mb-1 text-xs leading-tight text-muted sm:-mt-2 sm:mb-2 sm:text-sm sm:leading-normal"
            >
              {question.help}
            </p>
          )}
          {question.anchors.map((anchor, value) => (
            <RadioCard
              key={anchor}
              name="answer"
              value={value}
              shortcut={LETTERS[value]}
              dense
              checked={answer?.value === value}
              onChange={() => store.answer(question.key, value)}
            >
              {anchor}
            </RadioCard>
          ))}
          <RadioCard
            name="answer"
            value="none"
            shortcut="–"
            quiet
            dense
            checked={answer?.applies === false}
            onChange={() => store.answer(question.key, null)}
          >
            {say('Doesn’t apply to us')}
          </RadioCard>
        </fieldset>
      </form>
    </>
  );
}
