/** Coaching as a whole, for admins. Each read is recorded in the audit log. */
import * as v from 'valibot';
import { AWAY_REASONS, type EngagementFilter } from '#domain/admin-coaching.ts';
import { DUE_KINDS, ENGAGEMENT_STATES, OPEN_ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

/** Null if the account was deleted. */
export const personName = v.nullable(v.string());
/** A date, `2026-12-04`. */
export const day = v.nullable(v.string());
/** Null while the coach is there. */
export const away = v.nullable(v.object({ why: v.picklist(AWAY_REASONS), until: day }));
export const coach = v.nullable(v.object({ id: v.string(), name: personName, away }));
export const due = {
  /** Null once it has ended. */
  due_what: v.nullable(v.picklist(DUE_KINDS)),
  due_at: v.nullable(v.string()),
  late: v.boolean(),
};

export const listedEngagement = listedRow({
  business: v.object({ id: v.string(), name: v.string() }),
  owner: v.nullable(v.object({ id: v.string(), name: personName })),
  coach,
  state: v.picklist(ENGAGEMENT_STATES),
  /** Keys of skill areas. */
  areas: v.array(v.string()),
  requested_at: v.string(),
  ...due,
  /** Whether the owner asked for another coach. */
  change_requested: v.boolean(),
  /** Completed ones. */
  sessions: v.number(),
});
export type ListedEngagement = v.InferOutput<typeof listedEngagement>;

/** A page of engagements, with the areas and coaches to choose from. */
export const listEngagements = (db: Db, filter: EngagementFilter, limit?: number) =>
  readAdminList(db, 'admin_engagements', listedEngagement, filter, limit);

export const coachingBoard = v.object({
  /** The open states, in order. */
  funnel: v.array(
    v.object({
      state: v.picklist(OPEN_ENGAGEMENT_STATES),
      count: v.number(),
      /** How many of them should have moved on by now. */
      late: v.number(),
      /** Half of them have been there for at least this long; null if there are none. */
      median_hours: v.nullable(v.number()),
    }),
  ),
  /** By name, at most 200. */
  coaches: v.array(
    v.object({
      user_id: v.string(),
      name: personName,
      /** Null: no limit. */
      capacity: v.nullable(v.number()),
      accepting: v.boolean(),
      /** A pause ends after this day. */
      paused_until: day,
      /** The last day of today's time off. */
      away_until: day,
      /** They asked to hand over their clients. */
      leaving: v.boolean(),
      /** All open ones. */
      clients: v.number(),
      /** Clients that they haven't accepted or declined yet. */
      waiting: v.number(),
    }),
  ),
  /** As many as the list has with each of these filters. */
  attention: v.object({ away: v.number(), change: v.number() }),
});
export type CoachingBoard = v.InferOutput<typeof coachingBoard>;
export type BoardCoach = CoachingBoard['coaches'][number];

/** Coaching by state, and how busy the coaches are. Throws `denied` for everyone but admins. */
export const getCoachingBoard = (db: Db): Promise<CoachingBoard> =>
  rpc(db, 'admin_coaching_board', coachingBoard);
