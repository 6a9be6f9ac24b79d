/** Places at events: for everyone, for whoever has one, and for admins. */
import * as v from 'valibot';
import { EVENT_STATES, type EventFilter, PLACE_STATES, type SignupFilter } from '#domain/event.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

const openDate = v.object({
  /** Which date of an event that repeats: YYYY-MM; otherwise ''. */
  occasion: v.string(),
  starts_at: v.string(),
  places: v.number(),
  /** How many are left for whoever asks now. */
  left: v.number(),
  state: v.picklist(EVENT_STATES),
});
/** The place behind an emailed link. */
export const eventPlace = v.object({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  starts_at: v.string(),
  minutes: v.number(),
  time_zone: v.string(),
  /** The venue and its address; of an event online, what the page says. */
  place: v.string(),
  address: v.nullable(v.string()),
  /** How often date or place have changed. */
  revision: v.number(),
  event_state: v.picklist(EVENT_STATES),
  event_reason: v.nullable(v.string()),
  /** Only if the place is taken. */
  online_link: v.nullable(v.string()),
  name: v.nullable(v.string()),
  state: v.picklist(PLACE_STATES),
  /** Until when it's held. */
  due_at: v.nullable(v.string()),
  /** Why an admin canceled it. */
  reason: v.nullable(v.string()),
  /** On the waiting list, from 1. */
  position: v.nullable(v.number()),
});
const counts = {
  taken: v.number(),
  /** Kept for people who haven't confirmed yet, or were offered them. */
  held: v.number(),
  waiting: v.number(),
  came: v.number(),
};

const eventFacts = {
  slug: v.string(),
  title: v.string(),
  starts_at: v.string(),
  minutes: v.number(),
  time_zone: v.string(),
  place: v.string(),
  places: v.number(),
  state: v.picklist(EVENT_STATES),
  ...counts,
};

export const listedEvent = listedRow(eventFacts);
export type ListedEvent = v.InferOutput<typeof listedEvent>;

export const anyEvent = v.object({
  id: v.string(),
  ...eventFacts,
  online_link: v.nullable(v.string()),
  canceled_at: v.nullable(v.string()),
  cancel_reason: v.nullable(v.string()),
});
export type AnyEvent = v.InferOutput<typeof anyEvent>;

export const listedSignup = listedRow({
  /** Null, like the email, once we've forgotten who it was. */
  name: v.nullable(v.string()),
  email: v.nullable(v.string()),
  /** What they'd like to get out of it. */
  wish: v.nullable(v.string()),
  state: v.picklist(PLACE_STATES),
  due_at: v.nullable(v.string()),
  position: v.nullable(v.number()),
  came: v.nullable(v.boolean()),
  reason: v.nullable(v.string()),
  created_at: v.string(),
});
export type ListedSignup = v.InferOutput<typeof listedSignup>;

/** How many places each coming date of an event has; none for an unknown event. Throws an AppError. */
export const listEventPlaces = (db: Db, slug: string) =>
  rpc(db, 'list_event_places', v.array(openDate), { p_slug: slug });

/** The place behind an emailed link. Throws an AppError, `not-found` if there's no such link. */
export const getEventPlace = (db: Db, secret: string) =>
  rpc(db, 'get_event_place', eventPlace, { p_secret: secret });

/** The path of a place of one's own; null if it isn't. Throws an AppError. */
export const openEventPlace = async (db: Db, id: string): Promise<string | null> =>
  (await rpc(db, 'open_event_place', v.object({ path: v.nullable(v.string()) }), { p_id: id }))
    .path;

/** A page of dates of events. Throws an AppError. */
export const listEvents = (db: Db, filter: EventFilter, limit?: number) =>
  readAdminList(db, 'admin_events', listedEvent, filter, limit);

/** A date of an event. Throws an AppError, `not-found` if there's none. */
export const getEvent = (db: Db, id: string) => rpc(db, 'admin_event', anyEvent, { p_id: id });

/** A page of the people of an event. Throws an AppError. */
export const listSignups = (db: Db, event: string, filter: SignupFilter, limit?: number) =>
  readAdminList(db, 'admin_event_signups', listedSignup, { ...filter, event }, limit);

/** Gives a place to someone who waits or hasn't confirmed yet. Throws an AppError. */
export const giveEventPlace = (db: Db, id: string) =>
  rpc(db, 'give_event_place', anyEvent, { p_id: id });

/** Cancels someone's place with a reason that they get. Throws an AppError. */
export const cancelEventPlace = (db: Db, id: string, reason: string) =>
  rpc(db, 'cancel_event_place', anyEvent, { p_id: id, p_reason: reason });

/** Says whether someone came; null: nobody knows. Throws an AppError. */
export const markEventAttendance = (db: Db, id: string, came: boolean | null) =>
  rpc(db, 'mark_event_attendance', anyEvent, {
    p_id: id,
    // The generated types don't know that arguments can be null.
    p_came: came as boolean,
  });

/** Cancels an event for good, with a reason that everyone with a place gets. Throws an AppError. */
export const cancelEvent = (db: Db, id: string, reason: string) =>
  rpc(db, 'cancel_event', anyEvent, { p_id: id, p_reason: reason });
