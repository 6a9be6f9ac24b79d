import type { Say } from '#domain/language.ts';
import { classNames } from '#ui/class-names.ts';
import { useSay } from '#ui/InLanguage.tsx';
import type { QuizStore } from './quiz-store.ts';
import { type Given, isDone, type Step, stepId } from './steps.ts';

export interface QuestionListProps {
  store: QuizStore;
  given: Given;
  /** The id of the current step. */
  current: string;
}

/** All questions by area, to jump to one. */
export function QuestionList({ store, given, current }: QuestionListProps) {
  const { steps, kind } = store;
  const say = useSay();
  const areas = Map.groupBy(
    steps.filter((step) => step.name !== 'review'),
    ({ area }) => (kind === 'full' ? area.name : say('Questions')),
  );
  return (
    <nav aria-label={say('All questions')} className="card mt-2 p-4 sm:p-6">
      <ul className="flex flex-col gap-4 sm:gap-2">
        {[...areas].map(([name, row]) => (
          <li
            key={name}
            className="flex flex-col gap-1.5 sm:flex-row sm:items-center sm:justify-between"
          >
            <span className={classNames('text-sm', kind !== 'full' && 'sr-only')}>{name}</span>
            <span className="flex flex-wrap gap-1.5">
              {row.map((step) => (
                <MapButton
                  key={stepId(step)}
                  step={step}
                  done={isDone(step, given)}
                  here={stepId(step) === current}
                  onPress={() => store.go(step)}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-xs text-muted">
        {say('Filled: answered. Dashed: not answered yet.')}
        {kind === 'full' && ` ${say('1–5: how confident you are.')}`}
        {steps.some(({ name }) => name === 'skip') &&
          ` ${say('Y/N: whether an area applies to you.')}`}
      </p>
    </nav>
  );
}

interface MapButtonProps {
  step: Exclude<Step, { name: 'review' }>;
  done: boolean;
  here: boolean;
  onPress: () => void;
}

function MapButton({ step, done, here, onPress }: MapButtonProps) {
  const say = useSay();
  const { name, text } = wordsOf(step, say);
  return (
    <button
      type="button"
      onClick={onPress}
      aria-current={here ? 'step' : undefined}
      className={classNames(
        'grid size-11 place-items-center rounded-control border text-sm figures',
        done
          ? 'border-transparent bg-primary-soft font-semibold'
          : 'border-dashed border-edge text-muted',
        here && 'ring-2 ring-primary forced-colors:outline-3',
      )}
    >
      <span className="sr-only">
        {`${name}, ${step.area.name}: ${done ? say('answered') : say('not answered')}`}
      </span>
      <span aria-hidden="true" className={step.name === 'question' ? undefined : 'text-xs'}>
        {text}
      </span>
    </button>
  );
}

/** A step's name, and what its button shows. */
function wordsOf(step: MapButtonProps['step'], say: Say): { name: string; text: string } {
  if (step.name === 'question') {
    const { number } = step;
    return { name: say('Question {number}', { number }), text: String(number) };
  }
  return step.name === 'skip'
    ? { name: say('Yes or no'), text: say('Y/N') }
    : { name: say('Confidence'), text: '1–5' };
}
