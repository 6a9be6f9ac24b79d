import type { RefObject } from 'react';
import { Progress } from '#ui/Progress.tsx';
import type { QuizStore } from './quiz-store.ts';
import { type Given, progressOf, type Step } from './steps.ts';

export interface StepProps<S> {
  step: S;
  store: QuizStore;
  given: Given;
  /** The focus moves here with each step. */
  heading: RefObject<HTMLHeadingElement | null>;
}

interface StepHeadProps {
  area: string;
  /** Where in the area: "3 of 4". */
  place: string;
  steps: Step[];
  given: Given;
}

/** Where in the quiz this is: the area, the place in it, and how much is answered. */
export function StepHead({ area, place, steps, given }: StepHeadProps) {
  const { answered, asked } = progressOf(steps, given);
  return (
    <div className="mb-6">
      <p className="mb-2.5 flex items-baseline justify-between gap-4 text-sm text-muted">
        <span>{area}</span>
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
