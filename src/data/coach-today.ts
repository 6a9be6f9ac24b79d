/** What a coach does today. */
import * as v from 'valibot';
import { SESSION_KINDS } from '#domain/session-values.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { clientCounts, clientRow } from './coaching-clients.ts';
import { conversation } from './conversations.ts';

export const coachToday = v.object({
  /** What's due by the end of tomorrow or late, most urgent first, at most 20. */
  due: v.array(clientRow),
  /** Sessions of today and tomorrow, in the coach's own time zone. */
  sessions: v.array(
    v.object({
      id: v.string(),
      engagement_id: v.string(),
      business: v.object({ id: v.string(), name: v.string() }),
      owner_name: v.nullable(v.string()),
      starts_at: v.string(),
      time_zone: v.string(),
      minutes: v.number(),
      kind: v.picklist(SESSION_KINDS),
      place: v.nullable(v.string()),
    }),
  ),
  /** Offers that wait for an owner's choice. */
  offers_waiting: v.number(),
  counts: clientCounts,
  /** What they did in each of the last 12 weeks, oldest first. */
  weeks: v.object({
    /** Sessions held, and the clients met in them. */
    sessions: v.array(v.number()),
    clients: v.array(v.number()),
    /** Messages written. */
    messages: v.array(v.number()),
  }),
  /** The four most recently active conversations with something unread. */
  unread: v.array(v.pick(conversation, ['id', 'title', 'unread', 'last_message'])),
  /** When the private calendar feed was created; null without one. */
  calendar_since: v.nullable(v.string()),
  /** Dates of the next 120 days, `2026-12-25`. */
  holidays: v.array(v.string()),
});
export type CoachToday = v.InferOutput<typeof coachToday>;

/** What a coach does today; null for everyone else. */
export const getCoachToday = (db: Db): Promise<CoachToday | null> =>
  rpc(db, 'coach_today', v.nullable(coachToday));
