import { createErrorReporter } from './classify-error.ts';
import type { AppError } from './errors.ts';
import type { AnswerDeps } from './latest-answer.ts';
import type { Db } from './supabase.ts';

export interface AttemptDeps extends AnswerDeps {
  /** Tells the person what failed and why, with what tries it again. */
  showFailure: (title: string, error: AppError, retry: () => void) => void;
}

/**
 * Makes what a store asks the database with where a failure is told and not thrown. It gives whether
 * the work is done; where it isn't, `undo` puts back what was shown ahead of the answer.
 */
export function createAttempt(deps: AttemptDeps) {
  const reportError = createErrorReporter(deps);
  return async function attempt(
    title: string,
    work: (db: Db) => Promise<unknown>,
    retry: () => void,
    undo?: () => void,
  ): Promise<boolean> {
    try {
      await work(await deps.db());
      return true;
    } catch (thrown) {
      undo?.();
      deps.showFailure(title, reportError(thrown), retry);
      return false;
    }
  };
}

export type Attempt = ReturnType<typeof createAttempt>;
