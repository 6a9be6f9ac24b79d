import { useRef, useState } from 'react';
import type { AppError } from '#lib/errors.ts';

type Work = () => Promise<unknown>;

export interface Action {
  pending: boolean;
  /** Why the last run failed; null once the next one starts. */
  failure: AppError | null;
  /**
   * Runs the work unless another run is in progress. Never rejects; errors become `failure`.
   * Work that navigates away returns `'leaving'`, and stays pending.
   */
  run: (work: Work) => Promise<void>;
  clearFailure: () => void;
}

/**
 * The state of an action outside a form, such as a button that sends a request.
 * @param onError converts what was thrown to an AppError
 */
export function useAction(onError: (thrown: unknown) => AppError): Action {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);
  const isRunning = useRef(false);
  async function run(work: Work): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    setFailure(null);
    try {
      if ((await work()) === 'leaving') return;
    } catch (thrown) {
      setFailure(onError(thrown));
    }
    isRunning.current = false;
    setPending(false);
  }
  return { pending, failure, run, clearFailure: () => setFailure(null) };
}
