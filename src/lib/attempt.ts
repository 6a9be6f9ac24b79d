import { createErrorReporter } from './classify-error.ts';
import type { AppError } from './errors.ts';
import type { AnswerDeps } from './latest-answer.ts';
import type { Db } from './supabase.ts';

export interface AttemptDeps extends AnswerDeps {
  /**
   * Tells the person what failed and why, with what tries it again. `isLasting` is for what they typed,
   * which is stored nowhere else: it is shown until they have answered.
   */
  showFailure: (title: string, error: AppError, retry: () => void, isLasting?: boolean) => void;
}

/** Makes what a store asks the database with: it throws an AppError, and reports an ended session. */
export function createRequest(deps: AnswerDeps) {
  const reportError = createErrorReporter(deps);
  return async <Answer>(work: (db: Db) => Promise<Answer>): Promise<Answer> => {
    try {
      return await work(await deps.db());
    } catch (thrown) {
      throw reportError(thrown);
    }
  };
}

/**
 * The same where a failure is shown and not thrown. It gives whether the work is done; where it isn't,
 * `undo` puts back what was shown ahead of the answer.
 */
export function createAttempt(deps: AttemptDeps) {
  const reportError = createErrorReporter(deps);
  return async function attempt(
    title: string,
    work: (db: Db) => Promise<unknown>,
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
