/** An owner's coaching: what they asked for, where it is now, and who may read their results. */

import { atom } from 'nanostores';
import {
  type Engagement,
  listEngagements,
  requestCoaching,
  setResultsShared,
  withdrawCoaching,
} from '#data/coaching.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';

export interface CoachingRequest {
  businessId: string;
  note: string;
  areas: string[];
  share: boolean;
}

interface CoachingDeps {
  db: () => Promise<Db>;
  /** Tells the person that sharing stayed as it was; `again` tries it once more. */
  failed: (error: AppError, again: () => void) => void;
}

/** Makes the store of one page. `newId` gives the id under which a request is made. */
export function createCoachingStore(
  deps: CoachingDeps,
  initial: Engagement[],
  makeId: () => string = newId,
) {
  const $engagements = atom<readonly Engagement[]>(initial);
  // One id for all tries: a request that was sent and not answered is not made twice.
  let id = makeId();
  let last: Promise<void> = Promise.resolve();

  const change = (engagementId: string, to: Partial<Engagement>) =>
    $engagements.set(
      $engagements.get().map((each) => (each.id === engagementId ? { ...each, ...to } : each)),
    );

  /** Asks for a coach. Throws an AppError, with its field where it belongs to one. */
  async function request(input: CoachingRequest): Promise<void> {
    const db = await deps.db();
    const asked = id;
    await requestCoaching(db, { id: asked, ...input });
    id = makeId();
    const known: Engagement = {
      id: asked,
      business_id: input.businessId,
      state: 'requested',
      areas: input.areas,
      note: input.note || null,
      results_shared: input.share,
      requested_at: new Date().toISOString(),
      assigned_at: null,
      coach_id: null,
      coach_name: null,
    };
    // It is asked for; that the list cannot be read again just now takes nothing from that.
    const all = await listEngagements(db).catch(() => [
      known,
      ...$engagements.get().filter((each) => each.id !== asked),
    ]);
    $engagements.set(all);
  }

  async function send(engagementId: string, shared: boolean, before: boolean): Promise<void> {
    try {
      await setResultsShared(await deps.db(), engagementId, shared);
    } catch (thrown) {
      change(engagementId, { results_shared: before });
      deps.failed(reportError(thrown), () => void share(engagementId, shared));
    }
  }

  /** Lets the coach read results or stops it: at once on the page, and back when it is refused. */
  function share(engagementId: string, shared: boolean): Promise<void> {
    change(engagementId, { results_shared: shared });
    // In the order in which they were pressed: the last one stands.
    last = last.then(() => send(engagementId, shared, !shared));
    return last;
  }

  /** Withdraws from coaching. Throws an AppError, and then it goes on as before. */
  async function withdraw(engagementId: string): Promise<void> {
    await withdrawCoaching(await deps.db(), engagementId);
    change(engagementId, { state: 'withdrawn' });
  }

  return { $engagements, request, share, withdraw };
}
