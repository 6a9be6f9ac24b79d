/** Starts an attempt: a new one, or one created from answers in this browser or from a link. */

import { atom } from 'nanostores';
import { startAttempt } from '#data/attempts.ts';
import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { createAnswersStore } from '#stores/answers.ts';

export type StartState =
  | { name: 'ready'; failure: AppError | null }
  | { name: 'starting' }
  /** The page of the attempt is being opened. */
  | { name: 'leaving' };

interface StartDeps {
  db: () => Promise<Db>;
  businessId: string | null;
  versionId: string;
  /** Opens the page of an attempt. */
  open(attemptId: string): void;
}

export type StartStore = ReturnType<typeof createStartStore>;

/** @param makeId generates the id of a new attempt */
export function createStartStore(deps: StartDeps, makeId = newId) {
  const $state = atom<StartState>({ name: 'ready', failure: null });
  const answers = createAnswersStore(
    { db: deps.db, businessId: () => deps.businessId, open: leave },
    makeId,
  );
  // Use one id for all retries, so a second request finds what the first one created.
  let id: string | undefined;

  function leave(attemptId: string) {
    $state.set({ name: 'leaving' });
    deps.open(attemptId);
  }

  return {
    $state,
    $answers: answers.$answers,
    answers,

    /** Opens a new attempt, or the one that's already open. */
    async start(): Promise<void> {
      if ($state.get().name !== 'ready') return;
      $state.set({ name: 'starting' });
      id ??= makeId();
      try {
        leave(await startAttempt(await deps.db(), id, deps.versionId, deps.businessId));
      } catch (thrown) {
        $state.set({ name: 'ready', failure: classifyError(thrown) });
      }
    },
  };
}
