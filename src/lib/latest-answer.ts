/** Requests in quick succession, as a person types or filters: only the last response counts. */
import { atom, type ReadableAtom } from 'nanostores';
import { createErrorReporter } from './classify-error.ts';
import type { AppError } from './errors.ts';
import type { BrowserDb } from './supabase.ts';

/** Whether the page shows the result of the latest request. */
export type AnswerState =
  | { name: 'ready' }
  | { name: 'loading' }
  /** The page still shows the previous result. */
  | { name: 'failed'; error: AppError };

export interface LatestAnswer {
  $state: ReadableAtom<AnswerState>;
  /** Runs a request and applies its result unless a newer one has started. Never throws. */
  ask(work: (db: BrowserDb) => Promise<() => void>): Promise<void>;
  /** Repeats the last request if it failed. */
  retry(): Promise<void>;
  /** Cancels the request in flight; pass `loading` if another one is about to start. */
  drop(now: 'ready' | 'loading'): void;
}

export interface AnswerDeps {
  db: () => Promise<BrowserDb>;
  /** Called when the session is over, so that the person can sign in again in place. */
  signedOut: () => void;
}

/** Creates one for a list. It makes no request yet: the data that came with the page is ready. */
export function createLatestAnswer(deps: AnswerDeps): LatestAnswer {
  const reportError = createErrorReporter(deps);
  const $state = atom<AnswerState>({ name: 'ready' });
  let asked = 0;
  let again = async () => {};

  async function ask(work: (db: BrowserDb) => Promise<() => void>): Promise<void> {
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
