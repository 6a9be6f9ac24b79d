import { Scale } from '#ui/forms/Scale.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { advanceOnTap, StepHead, type StepProps } from './Question.tsx';
import type { Step } from './steps.ts';

const RATINGS = [1, 2, 3, 4, 5];

/** Asks after each area how sure the owner is. It's compared with the score, never part of it. */
export function ConfidenceStep(props: StepProps<Extract<Step, { name: 'confidence' }>>) {
  const { step, store, given, heading } = props;
  const { area } = step;
  const say = useSay();
  return (
    <>
      <StepHead {...props} place={say('Confidence')} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys choose without going on */}
      <fieldset aria-describedby="confidence-help" onClick={advanceOnTap(store)}>
        <legend className="mb-2">
          <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
            {say('How confident are you in these answers?')}
          </h1>
        </legend>
        <p id="confidence-help" className="mb-5 text-sm text-muted">
          {say(
            'It doesn’t change your score. If your confidence and your answers disagree, your results will say so.',
          )}
        </p>
        <Scale
          name="confidence"
          values={RATINGS}
          chosen={given.ratings.get(area.key)}
          onChoose={(rating) => store.rate(area.key, rating)}
          low={say('a guess')}
          high={say('I could prove it')}
        />
      </fieldset>
    </>
  );
}
