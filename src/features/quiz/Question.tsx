import type { RefObject } from 'react';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { Scale } from '#ui/forms/Scale.tsx';
import { Progress } from '#ui/Progress.tsx';
import type { QuizStore } from './quiz-store.ts';
import { type Given, progressOf, type Step } from './steps.ts';

type Asking = Exclude<Step, { name: 'review' }>;

interface StepProps<S> {
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
function StepHead({ step, store, given, place }: StepHeadProps) {
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

const RATINGS = [1, 2, 3, 4, 5];

/** Asks after each area how sure the owner is. It's compared with the score, never part of it. */
export function ConfidenceStep(props: StepProps<Extract<Step, { name: 'confidence' }>>) {
  const { step, store, given, heading } = props;
  const { area } = step;
  return (
    <>
      <StepHead {...props} place="Confidence" />
      <fieldset aria-describedby="confidence-help">
        <legend className="mb-2">
          <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
            How confident are you in these answers?
          </h1>
        </legend>
        <p id="confidence-help" className="mb-5 text-sm text-muted">
          It doesn’t change your score. If your confidence and your answers disagree, your results
          will say so.
        </p>
        <Scale
          name="confidence"
          values={RATINGS}
          chosen={given.ratings.get(area.key)}
          onChoose={(rating) => store.rate(area.key, rating)}
          low="a guess"
          high="I could prove it"
        />
      </fieldset>
    </>
  );
}
