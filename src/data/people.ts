/** People, for admins. Each read and each change is recorded in the audit log. */
import * as v from 'valibot';
import { ACCOUNT_STATES, type IdentityCheck, type PeopleFilter } from '#domain/admin-people.ts';
import { BUSINESS_ROLES } from '#domain/business.ts';
import { CONSENTS } from '#domain/contact.ts';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { ROLES, type Role } from '#domain/person.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';
import { listedOrder } from './orders.ts';
import { resendConfirmation } from './sign-in.ts';

export const listedPerson = listedRow({
  name: v.string(),
  email: v.nullable(v.string()),
  role: v.picklist(ROLES),
  state: v.picklist(ACCOUNT_STATES),
  joined_at: v.string(),
  /** The latest sign-in. */
  seen_at: v.nullable(v.string()),
  businesses: v.array(v.object({ id: v.string(), name: v.string() })),
});
export type ListedPerson = v.InferOutput<typeof listedPerson>;

const coachProfile = v.object({
  about: v.string(),
  /** Keys of skill areas. */
  areas: v.array(v.string()),
  /** The most clients at once; null: no limit. */
  capacity: v.nullable(v.number()),
  /** Industries they know, as businesses name theirs. */
  industries: v.array(v.string()),
  /** Whether they take new clients. */
  accepting: v.boolean(),
  /** The last day without new clients: `2026-12-04`; null if they aren't paused. */
  paused_until: v.nullable(v.string()),
  /** How many clients they have now. */
  clients: v.number(),
});
export type CoachProfile = v.InferOutput<typeof coachProfile>;

export const personPage = v.object({
  id: v.string(),
  name: v.string(),
  preferred_name: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  time_zone: v.nullable(v.string()),
  /** BCP 47, best first. */
  languages: v.array(v.string()),
  email: v.nullable(v.string()),
  /** The address they want to change to, until they confirm it. */
  new_email: v.nullable(v.string()),
  joined_at: v.string(),
  confirmed_at: v.nullable(v.string()),
  seen_at: v.nullable(v.string()),
  state: v.picklist(ACCOUNT_STATES),
  deletion_due_at: v.nullable(v.string()),
  role: v.picklist(ROLES),
  /** Null for owners. */
  role_since: v.nullable(v.string()),
  /** Null unless they're a coach. */
  coach: v.nullable(coachProfile),
  skill_areas: v.array(v.object({ key: v.string(), name: v.string() })),
  sessions: v.number(),
  /** Whether they use two-step sign-in. */
  second_factor: v.boolean(),
  businesses: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      role: v.picklist(BUSINESS_ROLES),
      archived: v.boolean(),
    }),
  ),
  attempts: v.object({
    open: v.number(),
    finished: v.number(),
    latest_at: v.nullable(v.string()),
  }),
  /** Newest first, at most 50; as an owner or as a coach. */
  coaching: v.array(
    v.object({
      id: v.string(),
      state: v.picklist(ENGAGEMENT_STATES),
      requested_at: v.string(),
      business: v.nullable(v.string()),
      owner: v.nullable(v.string()),
      coach: v.nullable(v.string()),
    }),
  ),
  /** What they ordered, newest first, at most 50. */
  orders: v.array(listedOrder),
  /** Them as a contact, with how often they wrote; null until they've confirmed their address. */
  contact: v.nullable(
    v.object({ id: v.string(), messages: v.number(), consent: v.picklist(CONSENTS) }),
  ),
  /** Reports about their messages. */
  reports: v.number(),
});
export type PersonPage = v.InferOutput<typeof personPage>;

/** A page of people. */
export const listPeople = (db: Db, filter: PeopleFilter, limit?: number) =>
  readAdminList(db, 'admin_people', listedPerson, filter, limit);

/** One person. Throws an AppError, `not-found` if there's no such account. */
export const getPerson = (db: Db, id: string) => rpc(db, 'admin_person', personPage, { p_id: id });

/** Makes someone a coach, an admin or an owner again. Throws an AppError. */
export const setRole = (db: Db, id: string, role: Role, reason: string) =>
  rpc(db, 'set_staff_role', ignored, {
    p_user_id: id,
    // Null means an owner; the generated types don't know that arguments can be null.
    p_role: (role === 'owner' ? null : role) as string,
    p_reason: reason,
  });

/** Signs someone out on all their devices. Throws an AppError. */
export const endSessions = (db: Db, id: string, reason: string) =>
  rpc(db, 'end_sessions', ignored, { p_id: id, p_reason: reason });

/** Blocks an account, or lets the person in again. Throws an AppError. */
export const setBlocked = (db: Db, id: string, blocked: boolean, reason: string) =>
  rpc(db, 'set_blocked', ignored, { p_id: id, p_blocked: blocked, p_reason: reason });

/** Sends someone the email that confirms their address again. Throws an AppError. */
export async function sendConfirmationAgain(
  db: BrowserDb,
  id: string,
  reason: string,
): Promise<void> {
  const allowed = v.object({ email: v.string() });
  const { email } = await rpc(db, 'resend_confirmation', allowed, { p_id: id, p_reason: reason });
  await resendConfirmation(db, email, '/dashboard');
}

/** Saves what a coach is good at and how many clients they take. Throws an AppError. */
export const saveCoachProfile = (db: Db, id: string, profile: Omit<CoachProfile, 'clients'>) =>
  rpc(db, 'save_coach_profile', coachProfile, {
    p_id: id,
    p_about: profile.about,
    p_areas: profile.areas,
    // The generated types don't know that arguments can be null.
    p_capacity: profile.capacity as number,
    p_accepting: profile.accepting,
    p_industries: profile.industries,
    ...(profile.paused_until ? { p_paused_until: profile.paused_until } : {}),
  });

const demographicsSummary = v.object({
  /** Null while there are fewer than five. */
  people: v.nullable(v.number()),
  /** How many people gave each answer to each question, only from five people on. */
  answers: v.record(v.string(), v.record(v.string(), v.number())),
});
export type DemographicsSummary = v.InferOutput<typeof demographicsSummary>;

/** How many people gave each answer about themselves. Throws an AppError. */
export const readDemographics = (db: Db) => rpc(db, 'demographics_summary', demographicsSummary);

/** Turns off two-step sign-in for someone who lost every authenticator app. Throws an AppError. */
export const resetSecondFactor = (db: Db, id: string, check: IdentityCheck, reason: string) =>
  rpc(db, 'reset_second_factor', ignored, { p_id: id, p_check: check, p_reason: reason });
