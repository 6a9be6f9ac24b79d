/** Requests that follow each other quickly, as a person types and filters: only the last answer counts. */
import { atom, type ReadableAtom } from 'nanostores';
import { createErrorReporter } from './classify-error.ts';
import type { AppError } from './errors.ts';
import type { Db } from './supabase.ts';

/** Whether the page shows what was requested last. */
export type AnswerState =
  | { name: 'ready' }
  | { name: 'loading' }
  /** What is shown is that of before. */
  | { name: 'failed'; error: AppError };

export interface LatestAnswer {
  $state: ReadableAtom<AnswerState>;
  /** Asks, and applies what the work gives unless something else is wanted by then. Throws nothing. */
  ask(work: (db: Db) => Promise<() => void>): Promise<void>;
  /** Asks the same once more where it failed. */
  retry(): Promise<void>;
  /** What was asked is not wanted any more; `loading` where something else is about to be asked. */
  drop(now: 'ready' | 'loading'): void;
}

export interface AnswerDeps {
  db: () => Promise<Db>;
  /** The session is over: the person is asked to sign in again in place. */
  signedOut: () => void;
}

/** Makes it for one list; nothing is asked yet, and what came with the page is ready. */
export function createLatestAnswer(deps: AnswerDeps): LatestAnswer {
  const reportError = createErrorReporter(deps);
  const $state = atom<AnswerState>({ name: 'ready' });
  let asked = 0;
  let again = async () => {};

  async function ask(work: (db: Db) => Promise<() => void>): Promise<void> {
    asked += 1;
    const mine = asked;
    again = () => ask(work);
    $state.set({ name: 'loading' });
    try {
      const apply = await work(await deps.db());
      if (mine !== asked) return;
      apply();
      $state.set({ name: 'ready' });
    } catch (thrown) {
      if (mine !== asked) return;
      $state.set({ name: 'failed', error: reportError(thrown) });
    }
  }

  function drop(now: 'ready' | 'loading') {
    asked += 1;
    $state.set({ name: now });
  }

  const retry = async () => {
    if ($state.get().name === 'failed') await again();
  };

  return { $state, ask, retry, drop };
}
