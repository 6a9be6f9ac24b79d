/** An owner's coaching: each engagement with its steps, sessions, actions and recommendations. */
import * as v from 'valibot';
import { DUE_KINDS, ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { coachRecommendation } from './coaching-actions.ts';
import { coachingAction, session, sessionOffer } from './coaching-sessions.ts';
import { coachingStory } from './coaching-timeline.ts';
import { sessionsLeft } from './session-grants.ts';

/** A coach as their client sees them. */
export const ownCoach = v.object({
  user_id: v.string(),
  full_name: v.string(),
  avatar_path: v.nullable(v.string()),
  about: v.string(),
  areas: v.array(v.string()),
  /** BCP 47, best first. */
  languages: v.array(v.string()),
  time_zone: v.nullable(v.string()),
});
export type OwnCoach = v.InferOutput<typeof ownCoach>;

/** A step of an engagement. */
export const engagementEvent = v.object({
  at: v.string(),
  kind: v.string(),
  from_state: v.nullable(v.picklist(ENGAGEMENT_STATES)),
  to_state: v.nullable(v.picklist(ENGAGEMENT_STATES)),
});
export type EngagementEvent = v.InferOutput<typeof engagementEvent>;

/** What both the owner and the coach read of an engagement. */
export const sharedEngagement = v.object({
  id: v.string(),
  business_id: v.string(),
  state: v.picklist(ENGAGEMENT_STATES),
  areas: v.array(v.string()),
  note: v.nullable(v.string()),
  results_shared: v.boolean(),
  requested_at: v.string(),
  assigned_at: v.nullable(v.string()),
  accepted_at: v.nullable(v.string()),
  /** A date. */
  resume_on: v.nullable(v.string()),
  closed_at: v.nullable(v.string()),
  closing_summary: v.nullable(v.string()),
  /** Where the owner can find help instead. */
  referral: v.nullable(v.string()),
  /** Whether the owner asked for another coach. */
  change_requested: v.boolean(),
  can_reopen: v.boolean(),
  due_what: v.nullable(v.picklist(DUE_KINDS)),
  due_at: v.nullable(v.string()),
  /** Oldest first. */
  events: v.array(engagementEvent),
  /** Latest start first, at most 100. */
  sessions: v.array(session),
  /** Open ones. */
  offers: v.array(sessionOffer),
  /** Open ones by due date, then the most recently settled, at most 100. */
  actions: v.array(coachingAction),
  /** Open ones first, then the newest, at most 50. */
  recommendations: v.array(coachRecommendation),
  /** The sessions used so far. */
  used: v.number(),
  /** What the business has left; null once the coaching has ended. */
  left: v.nullable(sessionsLeft),
});

export const ownEngagement = v.object({
  ...sharedEngagement.entries,
  /** Null until someone is assigned, and once the coach left. */
  coach: v.nullable(ownCoach),
  /** What the owner said about sessions. */
  feedback: v.array(
    v.object({ session_id: v.string(), rating: v.number(), comment: v.nullable(v.string()) }),
  ),
  /** The newest of each business; null for older ones. */
  story: v.nullable(coachingStory),
});
export type OwnEngagement = v.InferOutput<typeof ownEngagement>;

export const ownCoaching = v.object({
  /** In all their businesses, newest first, at most 20. */
  engagements: v.array(ownEngagement),
  /** The skill areas to choose from. */
  areas: v.array(
    v.object({ key: v.string(), name: v.string(), short_name: v.string(), position: v.number() }),
  ),
  /** The areas that the latest result of each of their businesses recommends, best first. */
  topics: v.array(v.object({ business_id: v.string(), areas: v.array(v.string()) })),
  /** When the private calendar feed was created; null without one. */
  calendar_since: v.nullable(v.string()),
});
export type OwnCoaching = v.InferOutput<typeof ownCoaching>;

/** Everything the owner's coaching page shows. Empty for people of another role. */
export const getOwnCoaching = (db: Db): Promise<OwnCoaching> =>
  rpc(db, 'get_coaching', ownCoaching);
