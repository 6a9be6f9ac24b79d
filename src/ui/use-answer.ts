import { type DependencyList, useEffect, useState } from 'react';
import type { AppError } from '#lib/errors.ts';

/**
 * Asks when the page shows something, and again when `on` changes; only the last answer counts.
 * @param ask null while nothing is to be asked
 * @param onError gives the AppError of what was thrown
 * @returns the last answer, why there's no newer one, and what asks again
 */
export function useAnswer<Answer>(
  ask: (() => Promise<Answer>) | null,
  onError: (thrown: unknown) => AppError,
  on: DependencyList,
) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says when it's another question
  useEffect(() => {
    let isOutdated = false;
    setFailure(null);
    ask?.().then(
      (found) => !isOutdated && setAnswer(() => found),
      (thrown) => {
        const error = onError(thrown);
        if (!isOutdated) setFailure(error);
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [...on, tries]);
  return { answer, setAnswer, failure, retry: () => setTries((count) => count + 1) };
}
