/** An owner's coaching in all their businesses, and what they do about it. */

import * as coaching from '#data/coaching.ts';
import {
  createCoachingAction,
  settleCoachingAction,
  settleRecommendation,
} from '#data/coaching-actions.ts';
import * as sessions from '#data/coaching-sessions.ts';
import { getOwnCoaching, type OwnCoaching, type OwnEngagement } from '#data/own-coaching.ts';
import type { ActionState } from '#domain/focus.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { reportError } from '#stores/session.ts';

/** An engagement without its story, which is rendered on the server. */
export type Engagement = Omit<OwnEngagement, 'story'>;

export interface Coaching extends Omit<OwnCoaching, 'engagements'> {
  engagements: readonly Engagement[];
}

/** What shows at once, before it's stored. */
type Change =
  | { kind: 'share'; id: string; shared: boolean }
  | { kind: 'action'; id: string; state: ActionState }
  | { kind: 'recommendation'; id: string; state: 'taken' | 'dismissed' };

export type CoachingStore = ReturnType<typeof createCoachingStore>;

/** Creates the store for one page. `makeId` returns the ids of what the owner creates. */
export function createCoachingStore(
  db: () => Promise<Db>,
  initial: Coaching,
  makeId: () => string = newId,
) {
  const { $shown, put, replace } = createOptimistic<Coaching, Change>(initial, {
    apply: withChange,
    send: async (change) => sendChange(await db(), change),
    failure: 'Your change wasn’t saved',
  });
  const ids = createIds(makeId);

  /** Takes a step and shows what the database has then. Throws an AppError, and changes nothing. */
  const step = (
    work: (db: Db) => Promise<unknown>,
    ifUnread: (shown: Coaching) => Coaching = (shown) => shown,
  ) =>
    replace(async (stored) => {
      const client = await db();
      await work(client);
      // It's stored even if the page can't be read again right now.
      return getOwnCoaching(client).catch(() => ifUnread(stored()));
    }).catch((thrown) => {
      throw reportError(thrown);
    });

  return {
    $coaching: $shown,
    ...createSteps(step, ids),
    ...createSessionSteps(step, ids),
    /** Lets the coach read results, or stops sharing them. */
    share: (id: string, shared: boolean) => put({ kind: 'share', id, shared }),
    /** Marks an action as done or open. */
    settleAction: (id: string, state: ActionState) => put({ kind: 'action', id, state }),
    /** Says what became of a recommendation. */
    settleRecommendation: (id: string, state: 'taken' | 'dismissed') =>
      put({ kind: 'recommendation', id, state }),
    /** Reads everything again, because something happened elsewhere. It stays as it is on failure. */
    refresh: () => replace(async (stored) => getOwnCoaching(await db()).catch(() => stored())),
    /** Coaches who have room. Throws an AppError. */
    listCoaches: async (asked: Parameters<typeof coaching.listCoaches>[1]) =>
      coaching.listCoaches(await db(), asked).catch((thrown) => {
        throw reportError(thrown);
      }),
  };
}

type Step = (
  work: (db: Db) => Promise<unknown>,
  ifUnread?: (shown: Coaching) => Coaching,
) => Promise<void>;
type Ids = ReturnType<typeof createIds>;

/** Ids that stay the same until what they're for is stored, so a retry can't create it twice. */
function createIds(makeId: () => string) {
  const ids = new Map<string, string>();
  return async (about: string, work: (id: string) => Promise<void>): Promise<void> => {
    const id = ids.get(about) ?? makeId();
    ids.set(about, id);
    await work(id);
    ids.delete(about);
  };
}

/** The steps of an engagement that its owner takes. */
function createSteps(step: Step, withId: Ids) {
  return {
    /** Requests a coach. Throws an AppError, which names the field it concerns, if any. */
    request: (input: coaching.CoachingRequest) =>
      withId('request', (id) =>
        step(
          (db) => coaching.requestCoaching(db, { id, ...input }),
          (shown) => ({ ...shown, engagements: [newEngagement(id, input), ...shown.engagements] }),
        ),
      ),
    choose: (id: string, coachId: string) => step((db) => coaching.chooseCoach(db, id, coachId)),
    withdraw: (id: string) =>
      step((db) => coaching.withdrawCoaching(db, id), withState(id, 'withdrawn')),
    pause: (id: string, resumeOn: string, reason: string) =>
      step((db) => coaching.pauseCoaching(db, id, resumeOn, reason), withState(id, 'paused')),
    resume: (id: string) => step((db) => coaching.resumeCoaching(db, id), withState(id, 'active')),
    reopen: (id: string) => step((db) => coaching.reopenCoaching(db, id), withState(id, 'active')),
    /** The owner is back, after their coach couldn't reach them. */
    resumeContact: (id: string) =>
      step((db) => coaching.resumeContact(db, id), withState(id, 'accepted')),
    askForOtherCoach: (id: string, reason: string) =>
      step((db) => coaching.askForOtherCoach(db, id, reason)),
    keepCoach: (id: string) => step((db) => coaching.keepCoach(db, id)),
  };
}

/** What the owner does about sessions, and what they plan to do themselves. */
function createSessionSteps(step: Step, withId: Ids) {
  return {
    pickTime: (offerId: string, time: string) =>
      withId(`pick ${offerId}`, (sessionId) =>
        step((db) => sessions.pickTime(db, { offerId, sessionId, time })),
      ),
    declineTimes: (offerId: string, note: string) =>
      step((db) => sessions.declineTimes(db, offerId, note)),
    cancelSession: (id: string, reason: string) =>
      step((db) => sessions.cancelSession(db, id, reason)),
    rate: (id: string, rating: number, comment: string) =>
      step((db) => sessions.rateSession(db, id, rating, comment)),
    addAction: (engagementId: string, action: { body: string; dueOn: string }) =>
      withId(`action ${engagementId}`, (id) =>
        step((db) =>
          createCoachingAction(db, {
            id,
            engagementId,
            body: action.body,
            doer: 'owner',
            dueOn: action.dueOn || null,
          }),
        ),
      ),
  };
}

const sendChange = async (db: Db, change: Change): Promise<void> => {
  if (change.kind === 'share') await coaching.setResultsShared(db, change.id, change.shared);
  else if (change.kind === 'action') await settleCoachingAction(db, change.id, change.state);
  else await settleRecommendation(db, change.id, change.state);
};

const withEngagement = (
  shown: Coaching,
  change: (engagement: Engagement) => Engagement,
): Coaching => ({ ...shown, engagements: shown.engagements.map(change) });

const withState =
  (id: string, state: Engagement['state']) =>
  (shown: Coaching): Coaching =>
    withEngagement(shown, (each) => (each.id === id ? { ...each, state } : each));

/** The coaching as it'll be once the change is stored. */
function withChange(shown: Coaching, change: Change): Coaching {
  return withEngagement(shown, (each) => {
    if (change.kind === 'share') {
      return each.id === change.id ? { ...each, results_shared: change.shared } : each;
    }
    if (change.kind === 'action') {
      return { ...each, actions: withItem(each.actions, change.id, { state: change.state }) };
    }
    const recommendations = withItem(each.recommendations, change.id, { state: change.state });
    return { ...each, recommendations };
  });
}

const withItem = <Item extends { id: string }>(
  items: Item[],
  id: string,
  change: Partial<Item>,
): Item[] => items.map((item) => (item.id === id ? { ...item, ...change } : item));

/** The engagement as the database stores it right after a request. */
const newEngagement = (id: string, input: coaching.CoachingRequest): Engagement => ({
  id,
  business_id: input.businessId,
  state: input.coachId ? 'assigned' : 'requested',
  areas: input.areas,
  note: input.note || null,
  results_shared: input.share,
  requested_at: new Date().toISOString(),
  assigned_at: null,
  accepted_at: null,
  resume_on: null,
  closed_at: null,
  closing_summary: null,
  referral: null,
  change_requested: false,
  can_reopen: false,
  due_what: null,
  due_at: null,
  events: [],
  sessions: [],
  offers: [],
  actions: [],
  recommendations: [],
  used: 0,
  left: null,
  feedback: [],
  coach: null,
});
