/** A coach's own settings: the profile that owners see, capacity, time off, and leaving. */
import * as v from 'valibot';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

const timeOff = v.object({
  id: v.string(),
  /** Dates; both days are included. */
  starts_on: v.string(),
  ends_on: v.string(),
  note: v.nullable(v.string()),
});
export type TimeOff = v.InferOutput<typeof timeOff>;

const coachSettings = v.object({
  about: v.string(),
  /** Keys of skill areas. */
  areas: v.array(v.string()),
  industries: v.array(v.string()),
  /** The most clients at the same time; null for no limit. */
  capacity: v.nullable(v.number()),
  accepting: v.boolean(),
  /** A date. */
  paused_until: v.nullable(v.string()),
  /** Now and later, soonest first. */
  time_off: v.array(timeOff),
  /** Open clients. */
  clients: v.number(),
  /** BCP 47, best first. */
  languages: v.array(v.string()),
  time_zone: v.nullable(v.string()),
  choices: v.object({
    areas: v.array(v.object({ key: v.string(), name: v.string() })),
    /** Industries of businesses here, as suggestions. */
    industries: v.array(v.string()),
  }),
});
export type CoachSettings = v.InferOutput<typeof coachSettings>;

/** A coach's own settings. Throws `denied` for people who aren't coaches. */
export const getCoachSettings = (db: Db): Promise<CoachSettings> =>
  rpc(db, 'get_my_coaching', coachSettings);

export type CoachSettingsInput = Pick<
  CoachSettings,
  'about' | 'areas' | 'industries' | 'capacity' | 'accepting' | 'paused_until'
>;

/** Saves the profile that owners see, and how many clients a coach takes. Throws `invalid`. */
export const saveCoachSettings = (db: Db, input: CoachSettingsInput): Promise<void> =>
  rpc(db, 'save_my_coaching', ignored, {
    p_about: input.about,
    p_areas: input.areas,
    p_industries: input.industries,
    p_capacity: input.capacity,
    p_accepting: input.accepting,
    p_paused_until: input.paused_until,
  });

/** Adds days on which a coach is asked by nobody. Idempotent by id. */
export const createTimeOff = (db: Db, off: TimeOff): Promise<void> =>
  rpc(db, 'add_time_off', ignored, {
    p_id: off.id,
    p_starts_on: off.starts_on,
    p_ends_on: off.ends_on,
    p_note: off.note ?? '',
  });

export const removeTimeOff = (db: Db, id: string): Promise<void> =>
  rpc(db, 'remove_time_off', ignored, { p_id: id });

/**
 * A coach leaves all their clients, with a note about each for the next coach. Each keeps them
 * until an admin finds someone else; they get no new clients.
 */
export const leaveClients = (
  db: Db,
  handovers: readonly { engagementId: string; note: string }[],
): Promise<void> =>
  rpc(db, 'leave_clients', ignored, {
    p_handovers: handovers.map(({ engagementId, note }) => ({
      engagement_id: engagementId,
      note,
    })),
  });
