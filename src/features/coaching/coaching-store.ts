/** An owner's coaching: their requests, the state of each, and who can see their results. */
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

/** Creates the store for one page. `makeId` returns the id a request is created with. */
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
  // Retries reuse the id, so a request whose response got lost isn't created twice.
  let id = makeId();

  return {
    $engagements: $shown,

    /** Requests a coach. Throws an AppError, which names the field it concerns, if any. */
    request: (input: CoachingRequest): Promise<void> =>
      replace(async (stored) => {
        const client = await db();
        const sent = id;
        await requestCoaching(client, { id: sent, ...input });
        id = makeId();
        const others = stored().filter((each) => each.id !== sent);
        // The request is stored even if we can't load the list again now.
        return listEngagements(client).catch(() => [newEngagement(sent, input), ...others]);
      }),

    /** Lets the coach read results, or stops sharing them. */
    share: (engagementId: string, shared: boolean) => put({ id: engagementId, shared }),

    /** Withdraws from coaching. Throws an AppError, and then changes nothing. */
    withdraw: (engagementId: string): Promise<void> =>
      replace(async (stored) => {
        await withdrawCoaching(await db(), engagementId);
        return stored().map((each) =>
          each.id === engagementId ? { ...each, state: 'withdrawn' } : each,
        );
      }),
  };
}

/** The engagement as the database stores it right after a request. */
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
