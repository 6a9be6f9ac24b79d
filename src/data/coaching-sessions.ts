/** Coaching sessions: offering times, scheduling, closing, and what owners say about them. */
import * as v from 'valibot';
import { ACTION_STATES } from '#domain/focus.ts';
import { OFFER_STATES, SESSION_STATES } from '#domain/session.ts';
import {
  ACTION_DOERS,
  type ActionDoer,
  SESSION_KINDS,
  type SessionKind,
  type SessionOutcome,
} from '#domain/session-values.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** A session as its owner and its coach read it. */
export const session = v.object({
  id: v.string(),
  state: v.picklist(SESSION_STATES),
  starts_at: v.string(),
  /** The IANA zone in which the coach planned it. */
  time_zone: v.string(),
  minutes: v.number(),
  kind: v.picklist(SESSION_KINDS),
  place: v.nullable(v.string()),
  /** Keys of skill areas. */
  topics: v.array(v.string()),
  /** What the owner reads; null before it's closed. */
  summary: v.nullable(v.string()),
  cancel_reason: v.nullable(v.string()),
  /** Whether it used one of the sessions that the owner has. */
  uses_one: v.boolean(),
  /** Increases when it's moved or canceled, for calendars. */
  revision: v.number(),
  closed_at: v.nullable(v.string()),
  /** Whether the owner has said how it went. */
  rated: v.boolean(),
});
export type Session = v.InferOutput<typeof session>;

/** Times that wait for the owner's choice. */
export const sessionOffer = v.object({
  id: v.string(),
  /** Two or three, soonest first. */
  times: v.array(v.string()),
  time_zone: v.string(),
  minutes: v.number(),
  kind: v.picklist(SESSION_KINDS),
  place: v.nullable(v.string()),
  state: v.picklist(OFFER_STATES),
  created_at: v.string(),
});
export type SessionOffer = v.InferOutput<typeof sessionOffer>;

/** What a link to a tool needs. */
export const recommendedTool = v.object({
  slug: v.string(),
  title: v.string(),
  type: v.string(),
  minutes: v.number(),
});

/** What the owner or the coach agreed to do. */
export const coachingAction = v.object({
  id: v.string(),
  session_id: v.nullable(v.string()),
  body: v.string(),
  doer: v.picklist(ACTION_DOERS),
  /** A date, `2026-12-21`. */
  due_on: v.nullable(v.string()),
  state: v.picklist(ACTION_STATES),
  focus_area_id: v.nullable(v.string()),
  area_key: v.nullable(v.string()),
  /** Null without one, or once it's no longer in the toolbox. */
  tool: v.nullable(recommendedTool),
  created_at: v.string(),
  settled_at: v.nullable(v.string()),
});
export type CoachingAction = v.InferOutput<typeof coachingAction>;

/** What closing, scheduling, moving or canceling a session answers. */
const sessionState = v.object({ id: v.string(), state: v.picklist(SESSION_STATES) });
const offerState = v.object({ id: v.string(), state: v.picklist(OFFER_STATES) });

/** A session's page: for its coach with their note, for its owner without one. */
export const sessionPage = v.object({
  ...session.entries,
  engagement_id: v.string(),
  business: v.object({ id: v.string(), name: v.string() }),
  owner_name: v.nullable(v.string()),
  coach_name: v.nullable(v.string()),
  /** The coach's private note; null for everyone else, and without one. */
  note: v.nullable(v.string()),
  /** Whether the coach can close it, also after their coaching has ended. */
  can_write_up: v.boolean(),
  /** Whether the coaching has ended, or has another coach now. */
  is_over: v.boolean(),
  /** Whether the coach can still change the summary. */
  can_change_summary: v.boolean(),
  actions: v.array(coachingAction),
  /** What the owner said about it; null for the coach, and before that. */
  feedback: v.nullable(v.object({ rating: v.number(), comment: v.nullable(v.string()) })),
});
export type SessionPage = v.InferOutput<typeof sessionPage>;

/** One session; null if it doesn't exist or the user can't read it. */
export const getSession = (db: Db, id: string): Promise<SessionPage | null> =>
  rpc(db, 'get_session', v.nullable(sessionPage), { p_id: id });

/** When and where a session is. */
export interface SessionPlan {
  /** ISO format, with an offset. */
  startsAt: string;
  minutes: number;
  kind: SessionKind;
  place: string;
}

/**
 * A coach offers two or three future times. Idempotent by id. Throws `conflict` if one of the times
 * overlaps another session of theirs.
 */
export const createSessionOffer = (
  db: Db,
  offer: { id: string; engagementId: string; times: string[]; timeZone: string } & Omit<
    SessionPlan,
    'startsAt'
  >,
) =>
  rpc(db, 'offer_times', offerState, {
    p_id: offer.id,
    p_engagement_id: offer.engagementId,
    p_times: offer.times,
    p_time_zone: offer.timeZone,
    p_minutes: offer.minutes,
    p_kind: offer.kind,
    p_place: offer.place,
  });

/** The coach takes an open offer back. */
export const removeSessionOffer = (db: Db, id: string) =>
  rpc(db, 'withdraw_offer', offerState, { p_id: id });

/** The owner picks one of the times, which schedules a session under the given id. Idempotent. */
export const pickTime = (db: Db, pick: { offerId: string; sessionId: string; time: string }) =>
  rpc(db, 'pick_time', sessionState, {
    p_offer_id: pick.offerId,
    p_session_id: pick.sessionId,
    p_time: pick.time,
  });

/** The owner says that none of the times works. */
export const declineTimes = (db: Db, offerId: string, note: string) =>
  rpc(db, 'decline_times', offerState, { p_offer_id: offerId, p_note: note });

/** A coach schedules a session. Idempotent by id. Throws `conflict` if they already have one then. */
export const createSession = (
  db: Db,
  planned: { id: string; engagementId: string; timeZone: string } & SessionPlan,
) =>
  rpc(db, 'schedule_session', sessionState, {
    p_id: planned.id,
    p_engagement_id: planned.engagementId,
    p_starts_at: planned.startsAt,
    p_time_zone: planned.timeZone,
    p_minutes: planned.minutes,
    p_kind: planned.kind,
    p_place: planned.place,
  });

/** The coach moves a scheduled session, and the owner hears of it. */
export const moveSession = (db: Db, id: string, plan: SessionPlan) =>
  rpc(db, 'move_session', sessionState, {
    p_id: id,
    p_starts_at: plan.startsAt,
    p_minutes: plan.minutes,
    p_kind: plan.kind,
    p_place: plan.place,
  });

/** The owner or the coach cancels a scheduled session. */
export const cancelSession = (db: Db, id: string, reason: string) =>
  rpc(db, 'cancel_session', sessionState, { p_id: id, p_reason: reason });

/** An action that's noted while closing a session. */
export interface NewSessionAction {
  id: string;
  body: string;
  doer: ActionDoer;
  /** A date, or null. */
  due_on: string | null;
  area_key: string | null;
  tool_slug: string | null;
  focus_area_id: string | null;
}

/** Everything a coach writes down about a session, in one call. */
export interface ClosedSession {
  starts_at: string;
  time_zone: string;
  minutes: number;
  kind: SessionKind;
  outcome: SessionOutcome;
  topics: string[];
  /** The owner reads it. */
  summary: string;
  /** Nobody but the coach reads it. */
  note: string;
  actions: NewSessionAction[];
  /** The business's figures today; amounts are annual, in minor units. Null if none were said. */
  figures: {
    id: string;
    full_time: number | null;
    part_time: number | null;
    revenue_minor: number | null;
    profit_minor: number | null;
    currency: string | null;
  } | null;
  /** The next session, if they agreed on one. */
  next: {
    id: string;
    starts_at: string;
    minutes: number;
    kind: SessionKind;
    place: string;
  } | null;
}

/**
 * A coach closes a session, or records one that wasn't scheduled. Idempotent by id: sent again, it
 * answers what's stored. Throws `invalid` with the field, and `conflict` if `next` overlaps another
 * session of the coach; then nothing is stored.
 */
export const closeSession = (db: Db, id: string, engagementId: string, closed: ClosedSession) =>
  rpc(db, 'close_session', sessionState, {
    p_id: id,
    p_engagement_id: engagementId,
    p_session: {
      ...closed,
      actions: closed.actions.map((action) => ({ ...action })),
      figures: closed.figures && { ...closed.figures },
      next: closed.next && { ...closed.next },
    },
  });

/** The coach saves their private note about a session; empty removes it. */
export const saveSessionNote = (db: Db, sessionId: string, body: string): Promise<void> =>
  rpc(db, 'save_session_note', ignored, { p_session_id: sessionId, p_body: body });

/** The coach changes the summary that the owner reads, within 30 days of closing it. */
export const saveSummary = (db: Db, sessionId: string, summary: string): Promise<void> =>
  rpc(db, 'change_summary', ignored, { p_session_id: sessionId, p_summary: summary });

/** The owner says how a session went, 1 to 4; again replaces it. The coach never reads it. */
export const rateSession = (
  db: Db,
  sessionId: string,
  rating: number,
  comment: string,
): Promise<void> =>
  rpc(db, 'rate_session', ignored, {
    p_session_id: sessionId,
    p_rating: rating,
    p_comment: comment,
  });

/** An admin reads a coach's private note, with a reason that's recorded. Null without a note. */
export const readSessionNote = (db: Db, sessionId: string, reason: string) =>
  rpc(
    db,
    'admin_read_session_note',
    v.object({
      session_id: v.string(),
      body: v.nullable(v.string()),
      author_name: v.nullable(v.string()),
      updated_at: v.nullable(v.string()),
    }),
    { p_session_id: sessionId, p_reason: reason },
  );
