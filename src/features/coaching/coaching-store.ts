/** An owner's coaching: what they asked for, where it is now, and who can see their results. */
import {
  type Engagement,
  listEngagements,
  requestCoaching,
  setResultsShared,
  withdrawCoaching,
} from '#data/coaching.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { createOptimistic } from '#stores/optimistic.ts';

export interface CoachingRequest {
  businessId: string;
  note: string;
  areas: string[];
  share: boolean;
}

interface Sharing {
  id: string;
  shared: boolean;
}

const withSharing = (engagements: readonly Engagement[], { id, shared }: Sharing) =>
  engagements.map((each) => (each.id === id ? { ...each, results_shared: shared } : each));

export type CoachingStore = ReturnType<typeof createCoachingStore>;

/** Makes the store of one page. `makeId` gives the id under which a request is created. */
export function createCoachingStore(
  db: () => Promise<Db>,
  initial: readonly Engagement[],
  makeId: () => string = newId,
) {
  const { $shown, put, replace } = createOptimistic<readonly Engagement[], Sharing>(initial, {
    apply: withSharing,
    send: async ({ id, shared }) => setResultsShared(await db(), id, shared),
    failure: 'Sharing wasn’t changed',
  });
  // One id for all tries, so a request that was sent but not answered isn't created twice.
  let id = makeId();

  return {
    $engagements: $shown,

    /** Asks for a coach. Throws an AppError, with its field where it belongs to one. */
    request: (input: CoachingRequest): Promise<void> =>
      replace(async (stored) => {
        const client = await db();
        const sent = id;
        await requestCoaching(client, { id: sent, ...input });
        id = makeId();
        const others = stored().filter((each) => each.id !== sent);
        // The request is stored, even if the list can't be read again now.
        return listEngagements(client).catch(() => [newEngagement(sent, input), ...others]);
      }),

    /** Lets the coach read results or stops it. */
    share: (engagementId: string, shared: boolean) => put({ id: engagementId, shared }),

    /** Withdraws from coaching. Throws an AppError, and then nothing has changed. */
    withdraw: (engagementId: string): Promise<void> =>
      replace(async (stored) => {
        await withdrawCoaching(await db(), engagementId);
        return stored().map((each) =>
          each.id === engagementId ? { ...each, state: 'withdrawn' } : each,
        );
      }),
  };
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
