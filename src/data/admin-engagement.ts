/** One engagement, for admins, and what they do about it. Each is recorded in the audit log. */
import * as v from 'valibot';
import { CHANNELS } from '#domain/admin-coaching.ts';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { ACTION_STATES } from '#domain/focus.ts';
import { SESSION_STATES } from '#domain/session.ts';
import { ACTION_DOERS, SESSION_KINDS } from '#domain/session-values.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { away, coach, day, due, personName } from './admin-coaching.ts';
import { timelineEntry } from './coaching-timeline.ts';

const match = v.object({
  user_id: v.string(),
  name: personName,
  /** Keys of areas that they're good at and the owner asked about. */
  areas: v.array(v.string()),
  /** The business's, if they know it. */
  industry: v.nullable(v.string()),
  /** BCP 47, those that both speak. */
  languages: v.array(v.string()),
  /** Between their time zones today; null if one is unknown. */
  hours: v.nullable(v.number()),
  capacity: v.nullable(v.number()),
  clients: v.number(),
  waiting: v.number(),
  /** How many more clients they take; null: no limit. */
  room: v.nullable(v.number()),
  /** Whether they can be assigned now. */
  has_room: v.boolean(),
  /** Whether they declined, didn't answer or coached it before. */
  before: v.boolean(),
  away,
});
export type Match = v.InferOutput<typeof match>;

/** What one coach leaves to the next. No private notes. */
const packet = v.object({
  goals: v.object({ note: v.nullable(v.string()), areas: v.array(v.string()) }),
  /** Open ones. */
  actions: v.array(v.object({ body: v.string(), doer: v.picklist(ACTION_DOERS), due_on: day })),
  /** What the owner reads too, oldest first. */
  summaries: v.array(
    v.object({ starts_at: v.string(), topics: v.array(v.string()), summary: v.string() }),
  ),
});
export type Packet = v.InferOutput<typeof packet>;

const step = v.object({
  id: v.number(),
  at: v.string(),
  /** Who did it; null for the product itself or a deleted account. */
  actor: personName,
  kind: v.string(),
  from_state: v.nullable(v.picklist(ENGAGEMENT_STATES)),
  to_state: v.nullable(v.picklist(ENGAGEMENT_STATES)),
  /** For staff. */
  note: v.nullable(v.string()),
  coach: personName,
  from_coach: personName,
  why: v.nullable(v.string()),
  /** Whether results are shared from then on; null if it's about something else. */
  shared: v.nullable(v.boolean()),
});

const adminSession = v.object({
  id: v.string(),
  state: v.picklist(SESSION_STATES),
  starts_at: v.string(),
  time_zone: v.string(),
  minutes: v.number(),
  kind: v.picklist(SESSION_KINDS),
  /** Keys of skill areas. */
  topics: v.array(v.string()),
  /** What the owner reads. */
  summary: v.nullable(v.string()),
  cancel_reason: v.nullable(v.string()),
  coach: personName,
  /** Whether the coach wrote a private note, which only readSessionNote reads. */
  has_note: v.boolean(),
});
export type AdminSession = v.InferOutput<typeof adminSession>;

export const adminEngagement = v.object({
  engagement: v.object({
    id: v.string(),
    state: v.picklist(ENGAGEMENT_STATES),
    state_since: v.string(),
    areas: v.array(v.string()),
    note: v.nullable(v.string()),
    results_shared: v.boolean(),
    requested_at: v.string(),
    assigned_at: v.nullable(v.string()),
    accepted_at: v.nullable(v.string()),
    active_at: v.nullable(v.string()),
    resume_on: day,
    closed_at: v.nullable(v.string()),
    closing_summary: v.nullable(v.string()),
    referral: v.nullable(v.string()),
    change_requested_at: v.nullable(v.string()),
    /** Why the owner wants another coach. */
    change_reason: v.nullable(v.string()),
    ...due,
    can_reopen: v.boolean(),
    business: v.object({ id: v.string(), name: v.string(), archived: v.boolean() }),
    owner: v.nullable(
      v.object({
        id: v.string(),
        name: personName,
        /** BCP 47, best first. */
        languages: v.array(v.string()),
        time_zone: v.nullable(v.string()),
      }),
    ),
    coach,
  }),
  /** Newest first. */
  timeline: v.array(timelineEntry),
  /** Newest first, at most 100. */
  sessions: v.array(adminSession),
  actions: v.array(
    v.object({
      id: v.string(),
      body: v.string(),
      doer: v.picklist(ACTION_DOERS),
      due_on: day,
      state: v.picklist(ACTION_STATES),
      created_at: v.string(),
      settled_at: v.nullable(v.string()),
    }),
  ),
  /** Newest first. */
  contacts: v.array(
    v.object({
      id: v.string(),
      at: v.string(),
      channel: v.picklist(CHANNELS),
      reached: v.boolean(),
      note: v.nullable(v.string()),
      coach: personName,
    }),
  ),
  /** Newest first. */
  handovers: v.array(
    v.object({
      id: v.string(),
      note: v.nullable(v.string()),
      packet,
      created_at: v.string(),
      /** When the next coach got it; null while it waits for one. */
      handed_at: v.nullable(v.string()),
      from: personName,
      to: personName,
    }),
  ),
  /** How the owner said each session went; the coach doesn't read it. */
  feedback: v.array(
    v.object({
      session_id: v.string(),
      /** 1 to 4. */
      rating: v.number(),
      comment: v.nullable(v.string()),
      created_at: v.string(),
    }),
  ),
  /** Newest first, at most 200. */
  events: v.array(step),
  /** Other coaches, best fit first, at most 50. Empty once it has ended. */
  matches: v.array(match),
  /** What the next coach would get now. */
  packet,
  skill_areas: v.array(v.object({ key: v.string(), name: v.string() })),
});
export type AdminEngagement = v.InferOutput<typeof adminEngagement>;

/** One engagement. Throws an AppError, `not-found` if it doesn't exist. */
export const getEngagement = (db: Db, id: string) =>
  rpc(db, 'admin_engagement', adminEngagement, { p_id: id });

interface Assignment {
  engagementId: string;
  coachId: string;
  /** For the audit log and the history. */
  reason: string;
  /** What the next coach should know, beyond the packet; '' for nothing. */
  handover?: string;
  /** What the owner is told; '' for the usual words. */
  message?: string;
}

/** Asks a coach to take a request, or hands an engagement over to another one. Throws an AppError. */
export const assignCoach = (db: Db, assigned: Assignment) =>
  rpc(db, 'assign_coach', ignored, {
    p_engagement_id: assigned.engagementId,
    p_coach_id: assigned.coachId,
    p_reason: assigned.reason,
    ...(assigned.handover ? { p_handover: assigned.handover } : {}),
    ...(assigned.message ? { p_message: assigned.message } : {}),
  });

/** Takes an engagement back from its coach, so that it waits for another one. Throws an AppError. */
export const unassignCoach = (db: Db, engagementId: string, reason: string) =>
  rpc(db, 'unassign_coach', ignored, { p_engagement_id: engagementId, p_reason: reason });

/** Ends a request and tells the owner who can help instead. Throws an AppError. */
export const referElsewhere = (db: Db, engagementId: string, reason: string, referral: string) =>
  rpc(db, 'refer_elsewhere', ignored, {
    p_engagement_id: engagementId,
    p_reason: reason,
    p_referral: referral,
  });

/** Completes an engagement, with a summary that the owner reads. Throws an AppError. */
export const closeEngagement = (db: Db, engagementId: string, reason: string, summary: string) =>
  rpc(db, 'close_engagement', ignored, {
    p_engagement_id: engagementId,
    p_reason: reason,
    ...(summary ? { p_summary: summary } : {}),
  });
