import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { StepHead, type StepProps } from './StepHead.tsx';
import type { Step } from './steps.ts';

/** One question with its five answers and "doesn't apply to us". */
export function Question({
  step,
  store,
  given,
  heading,
}: StepProps<Extract<Step, { name: 'question' }>>) {
  const { question, area } = step;
  const answer = given.answers.get(question.key);
  return (
    <>
      <StepHead
        area={area.name}
        place={`${step.number} of ${step.of}`}
        steps={store.steps}
        given={given}
      />
      {/* No browser fills in what was chosen before a reload: the store remembers. A form of this
          method sends nothing. */}
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
            onChange={() => store.doesntApply(question.key)}
          >
            Doesn’t apply to us
          </RadioCard>
        </fieldset>
      </form>
    </>
  );
}
