/** One client of a coach: what the page shows, and the steps and records of the coach. */
import { atom } from 'nanostores';
import type { ClientFile, ClientRecord } from '#data/coaching-client.ts';
import type { ActionState } from '#domain/focus.ts';
import { type Attempt, type AttemptDeps, createAttempt, createRequest } from '#lib/attempt.ts';
import { loadModule } from '#lib/browser/load-module.ts';
import type { Db } from '#lib/supabase.ts';

interface ClientDeps extends AttemptDeps {
  /** Leaves the page, because the engagement is no longer this coach's. */
  leave: () => void;
}

const requests = () => loadModule(() => import('./client-requests.ts'));

export type ClientStore = ReturnType<typeof createClientStore>;

export function createClientStore(deps: ClientDeps, initial: ClientRecord) {
  const { id } = initial;
  const $client = atom(initial);
  /** What's on its way: a step's name, or the id of what's changed. Null if nothing is. */
  const $busy = atom<string | null>(null);
  /** For screen readers: what was just done. */
  const $said = atom('');
  const attempt = createAttempt(deps);
  const request = createRequest(deps);

  /** Reads everything again: most steps change several parts of the page. */
  async function refresh(db: Db): Promise<void> {
    const { getClient } = await requests();
    const client = await getClient(db, id);
    if (client) $client.set(client);
    else deps.leave();
  }

  /** Takes a step from the page itself, and shows a toast if it fails. */
  async function tap(
    what: string,
    failure: string,
    said: string,
    take: (db: Db) => Promise<unknown>,
  ): Promise<void> {
    if ($busy.get() !== null) return;
    $busy.set(what);
    const isDone = await attempt(
      failure,
      async (db) => {
        await take(db);
        await refresh(db);
      },
      () => void tap(what, failure, said, take),
    );
    if (isDone) $said.set(said);
    $busy.set(null);
  }

  return {
    $client,
    $busy,
    $said,
    say: (words: string) => $said.set(words),
    /** Takes a step from a dialog, then shows the result. Throws an AppError. */
    take: (step: (db: Db) => Promise<unknown>): Promise<void> =>
      request(async (db) => {
        await step(db);
        await refresh(db);
      }),
    reread: () => attempt('We couldn’t refresh this page', refresh, () => location.reload()),
    ...stepsOf(id, tap),
    download: createDownload(attempt),
  };
}

type Tap = (
  what: string,
  failure: string,
  said: string,
  take: (db: Db) => Promise<unknown>,
) => Promise<void>;

/** The steps that need no dialog. */
function stepsOf(id: string, tap: Tap) {
  return {
    accept: () =>
      tap('accept', 'We couldn’t accept this', 'Accepted.', async (db) =>
        (await requests()).acceptClient(db, id),
      ),
    resume: () =>
      tap('resume', 'We couldn’t resume this', 'Under way again.', async (db) =>
        (await requests()).resumeCoaching(db, id),
      ),
    reopen: () =>
      tap('reopen', 'We couldn’t reopen this', 'Under way again.', async (db) =>
        (await requests()).reopenCoaching(db, id),
      ),
    withdrawOffer: (offerId: string) =>
      tap(offerId, 'We couldn’t withdraw the times', 'Withdrawn.', async (db) =>
        (await requests()).removeSessionOffer(db, offerId),
      ),
    settle: (actionId: string, state: ActionState) =>
      tap(actionId, 'We couldn’t save the action', SETTLED[state], async (db) =>
        (await requests()).settleCoachingAction(db, actionId, state),
      ),
  };
}

/** Downloads a file through a link that's valid for a minute. */
function createDownload(attempt: Attempt) {
  return async function download(file: ClientFile): Promise<void> {
    await attempt(
      `We couldn’t open “${file.name}”`,
      async (db) => {
        const { getProjectFileLink } = await requests();
        location.assign(await getProjectFileLink(db, file));
      },
      () => void download(file),
    );
  };
}

/** What's announced once an action is in a state. */
const SETTLED: Record<ActionState, string> = {
  done: 'Marked as done.',
  dropped: 'Dropped.',
  open: 'Reopened.',
};
