import { type DependencyList, useEffect, useState } from 'react';
import type { AppError } from '#lib/errors.ts';

/**
 * Sends a request on mount, and again when `on` changes; only the latest response counts.
 * @param ask sends the request; null for none
 * @param onError converts what was thrown to an AppError
 * @returns the latest response, the error if a newer request failed, and a retry function
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
