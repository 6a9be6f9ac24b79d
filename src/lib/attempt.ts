import { createErrorReporter } from './classify-error.ts';
import type { AppError } from './errors.ts';
import type { AnswerDeps } from './latest-answer.ts';
import type { BrowserDb } from './supabase.ts';

export interface AttemptDeps extends AnswerDeps {
  /**
   * Shows what failed and why, with a button that retries it. `isLasting` is for typed text that
   * isn't stored anywhere else: the notice then stays until the person responds to it.
   */
  showFailure: (title: string, error: AppError, retry: () => void, isLasting?: boolean) => void;
}

/** Creates a store's database call: it throws an AppError, and reports an ended session. */
export function createRequest(deps: AnswerDeps) {
  const reportError = createErrorReporter(deps);
  return async <Answer>(work: (db: BrowserDb) => Promise<Answer>): Promise<Answer> => {
    try {
      return await work(await deps.db());
    } catch (thrown) {
      throw reportError(thrown);
    }
  };
}

/**
 * The same, but it shows a failure instead of throwing it. Resolves to whether the work succeeded;
 * if not, `undo` reverts the optimistic update.
 */
export function createAttempt(deps: AttemptDeps) {
  const reportError = createErrorReporter(deps);
  return async function attempt(
    title: string,
    work: (db: BrowserDb) => Promise<unknown>,
    retry: () => void,
    undo?: () => void,
    isLasting = false,
  ): Promise<boolean> {
    try {
      await work(await deps.db());
      return true;
    } catch (thrown) {
      undo?.();
      deps.showFailure(title, reportError(thrown), retry, isLasting);
      return false;
    }
  };
}

export type Attempt = ReturnType<typeof createAttempt>;
