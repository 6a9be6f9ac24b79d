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
  /** Tells the person that sharing stayed as it was; `retry` tries it once more. */
  failed: (error: AppError, retry: () => void) => void;
}

export type CoachingStore = ReturnType<typeof createCoachingStore>;

/** Makes the store of one page. `makeId` gives the id under which a request is created. */
export function createCoachingStore(
  deps: CoachingDeps,
  initial: Engagement[],
  makeId: () => string = newId,
) {
  const $engagements = atom<readonly Engagement[]>(initial);
  // One id for all tries: a request that was sent and not answered isn't created twice.
  let id = makeId();
  let last: Promise<void> = Promise.resolve();

  const change = (engagementId: string, to: Partial<Engagement>) =>
    $engagements.set(
      $engagements.get().map((each) => (each.id === engagementId ? { ...each, ...to } : each)),
    );

  /** Asks for a coach. Throws an AppError, with its field where it belongs to one. */
  async function request(input: CoachingRequest): Promise<void> {
    const db = await deps.db();
    const sent = id;
    await requestCoaching(db, { id: sent, ...input });
    id = makeId();
    const others = $engagements.get().filter((each) => each.id !== sent);
    // The request is stored, even if the list can't be read again now.
    const all = await listEngagements(db).catch(() => [newEngagement(sent, input), ...others]);
    $engagements.set(all);
  }

  async function sendSharing(engagementId: string, shared: boolean): Promise<void> {
    try {
      await setResultsShared(await deps.db(), engagementId, shared);
    } catch (thrown) {
      change(engagementId, { results_shared: !shared });
      deps.failed(reportError(thrown), () => void share(engagementId, shared));
    }
  }

  /** Lets the coach read results or stops it: at once on the page, undone if it's refused. */
  function share(engagementId: string, shared: boolean): Promise<void> {
    change(engagementId, { results_shared: shared });
    // In the order in which they were pressed: the last one counts.
    last = last.then(() => sendSharing(engagementId, shared));
    return last;
  }

  /** Withdraws from coaching. Throws an AppError, and then nothing has changed. */
  async function withdraw(engagementId: string): Promise<void> {
    await withdrawCoaching(await deps.db(), engagementId);
    change(engagementId, { state: 'withdrawn' });
  }

  return { $engagements, request, share, withdraw };
}

/** A request as the database has it right after it's sent. */
const newEngagement = (id: string, input: CoachingRequest): Engagement => ({
  id,
  business_id: input.businessId,
  state: 'requested',
  areas: input.areas,
  note: input.note || null,
  results_shared: input.share,
  requested_at: new Date().toISOString(),
  assigned_at: null,
  coach_id: null,
  coach_name: null,
});
