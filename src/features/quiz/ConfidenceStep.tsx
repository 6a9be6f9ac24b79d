import { Scale } from '#ui/forms/Scale.tsx';
import { StepHead, type StepProps } from './StepHead.tsx';
import type { Step } from './steps.ts';

const RATINGS = [1, 2, 3, 4, 5];

/** After each area: how sure the owner is. Compared with the score later, never added to it. */
export function ConfidenceStep({
  step,
  store,
  given,
  heading,
}: StepProps<Extract<Step, { name: 'confidence' }>>) {
  const { area } = step;
  return (
    <>
      <StepHead area={area.name} place="Confidence" steps={store.steps} given={given} />
      <fieldset aria-describedby="confidence-help">
        <legend className="mb-2">
          <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
            How confident are you in these answers?
          </h1>
        </legend>
        <p id="confidence-help" className="mb-5 text-sm text-muted">
          It does not change the score. Where confidence and answers tell different stories, the
          results say so.
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
