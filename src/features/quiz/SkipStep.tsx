import { numberText } from '#lib/locale/numbers.ts';
import { Button } from '#ui/Button.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { StepHead, type StepProps } from './Question.tsx';
import { isDone, isSkipped, type Step } from './steps.ts';

/** Asks once whether an area applies at all, so that nobody has to say so four times. */
export function SkipStep(props: StepProps<Extract<Step, { name: 'skip' }>>) {
  const { step, store, given, heading } = props;
  const { ask, keys } = step;
  const say = useSay();
  const count = say(numberText(keys.length));
  return (
    <>
      <StepHead {...props} place={say('{count} questions', { count: keys.length })} />
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {ask.question}
      </h1>
      {ask.help && <p className="mt-2 text-sm text-muted">{ask.help}</p>}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button
          size="large"
          variant="secondary"
          aria-keyshortcuts="y"
          onClick={() => store.skip(keys, false)}
        >
          {say('Yes')}
        </Button>
        <Button
          size="large"
          variant="secondary"
          aria-keyshortcuts="n"
          onClick={() => store.skip(keys, true)}
        >
          {say('No')}
        </Button>
      </div>
      <p className="mt-4 text-sm text-muted">
        {isSkipped(keys, given)
          ? say(
              'You answered no, so these {count} questions are left out. They don’t count against you.',
              { count },
            )
          : isDone(step, given)
            ? say(
                'You’ve answered questions of this area. If you answer no now, that replaces them.',
              )
            : say(
                'If you answer no, we leave out {count} questions. That won’t count against you.',
                {
                  count,
                },
              )}
      </p>
    </>
  );
}
