import type { RefObject } from 'react';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { Progress } from '#ui/Progress.tsx';
import type { QuizStore } from './quiz-store.ts';
import { type Given, progressOf, type Step } from './steps.ts';

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

/** The area, the position in it, and the progress through the whole quiz. */
export function StepHead({ step, store, given, place }: StepHeadProps) {
  const { answered, asked } = progressOf(store.steps, given);
  return (
    <div className="mb-6">
      <p className="mb-2.5 flex items-baseline justify-between gap-4 text-sm text-muted">
        <span>{step.area.name}</span>
        <span className="shrink-0 figures">{place}</span>
      </p>
      <Progress
        value={answered}
        max={asked}
        label="Questions answered"
        text={`${answered} of ${asked} questions answered`}
      />
    </div>
  );
}

/** One question with its five answers and "doesn't apply to us". */
export function Question(props: StepProps<Extract<Step, { name: 'question' }>>) {
  const { step, store, given, heading } = props;
  const { question } = step;
  const answer = given.answers.get(question.key);
  return (
    <>
      <StepHead {...props} place={`${step.number} of ${step.of}`} />
      {/* The store restores the choice after a reload, so the browser must not. A form with the
      method "dialog" sends nothing. */}
      <form method="dialog" autoComplete="off">
        <fieldset
          className="flex flex-col gap-2.5"
          aria-describedby={question.help ? 'question-help' : undefined}
        >
          <legend className="mb-4">
            <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
              {question.text}
            </h1>
          </legend>
          {question.help && (
            <p id="question-help" className="-mt-2 mb-2 text-sm text-muted">
              {question.help}
            </p>
          )}
          {question.anchors.map((anchor, value) => (
            <RadioCard
              key={anchor}
              name="answer"
              value={value}
              shortcut={String(value)}
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
            checked={answer?.applies === false}
            onChange={() => store.answer(question.key, null)}
          >
            Doesn’t apply to us
          </RadioCard>
        </fieldset>
      </form>
    </>
  );
}
