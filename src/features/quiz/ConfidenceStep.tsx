import { classNames } from '#ui/class-names.ts';
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
  const chosen = given.ratings.get(area.key);
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
        <div className="grid grid-cols-5 gap-2 sm:gap-3">
          {RATINGS.map((rating) => (
            <label
              key={rating}
              className={classNames(
                'relative flex min-h-16 items-center justify-center rounded-control border border-line bg-surface text-lg font-medium figures transition-colors hover:border-edge',
                'has-checked:border-primary has-checked:bg-primary-soft has-checked:ring-1 has-checked:ring-primary forced-colors:has-checked:outline-3',
                'has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              )}
            >
              <input
                type="radio"
                name="confidence"
                value={rating}
                autoComplete="off"
                checked={chosen === rating}
                onChange={() => store.rate(area.key, rating)}
                aria-label={nameOf(rating)}
                className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control focus-visible:outline-none"
              />
              <span aria-hidden="true">{rating}</span>
            </label>
          ))}
        </div>
        <p className="mt-2.5 flex justify-between gap-6 text-xs text-muted" aria-hidden="true">
          <span>A guess</span>
          <span>I could prove it</span>
        </p>
      </fieldset>
    </>
  );
}

/** The ends of the scale have words; they are part of the name where they stand. */
function nameOf(rating: number): string {
  if (rating === 1) return '1, a guess';
  return rating === 5 ? '5, I could prove it' : String(rating);
}
