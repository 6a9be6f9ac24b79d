/** Whether the coach reads results: what the database has, and what was pressed since. */
import { atom } from 'nanostores';
import { setResultsShared } from '#data/coaching.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { createOptimisticToggle } from '#sync/optimistic-toggle.ts';

interface SharingDeps {
  db: () => Promise<Db>;
  /** The session is over: the person is asked to sign in again in place. */
  signedOut: () => void;
  /** Tells the person that sharing stayed as it was; `again` tries it once more. */
  failed: (error: AppError, again: () => void) => void;
}

/** Makes the store of one engagement. */
export function createSharingStore(deps: SharingDeps, engagementId: string, initial: boolean) {
  const reportError = createErrorReporter(deps);
  const $shared = atom(initial);
  const press = createOptimisticToggle($shared);

  /** Lets the coach read results or stops it: at once on the page, and as it is stored once answered. */
  function share(shared: boolean): Promise<void> {
    return press({
      change: () => shared,
      save: async () => setResultsShared(await deps.db(), engagementId, shared),
      failed: (thrown) => deps.failed(reportError(thrown), () => void share(shared)),
    });
  }

  return { $shared, share };
}
