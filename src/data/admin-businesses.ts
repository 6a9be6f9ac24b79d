/** Businesses, for admins. Each read and each change is recorded in the audit log. */
import * as v from 'valibot';
import type { AllBusinessesFilter } from '#domain/admin-businesses.ts';
import { BUSINESS_ROLES } from '#domain/business.ts';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { PROJECT_STATUSES } from '#domain/project.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';
import { snapshot } from './business-snapshots.ts';
import { facts } from './businesses.ts';
import { listedOrder } from './orders.ts';
import { sessionsLeft } from './session-grants.ts';

const named = v.object({ id: v.string(), name: v.string() });
/** Null if the account was deleted. */
const personName = v.nullable(v.string());

export const listedBusiness = listedRow({
  name: v.string(),
  city: v.nullable(v.string()),
  region: v.nullable(v.string()),
  created_at: v.string(),
  archived_at: v.nullable(v.string()),
  owners: v.array(v.object({ id: v.string(), name: personName })),
  members: v.number(),
  /** Open coaching; null if there's none. The coach is null until someone is assigned. */
  coaching: v.nullable(v.object({ state: v.picklist(ENGAGEMENT_STATES), coach: personName })),
  /** When someone last finished a quiz. */
  finished_at: v.nullable(v.string()),
  open_projects: v.number(),
});
export type ListedBusiness = v.InferOutput<typeof listedBusiness>;

const merge = v.object({
  id: v.string(),
  from: named,
  into: named,
  reason: v.string(),
  /** The admin's name. */
  by: personName,
  merged_at: v.string(),
  undone_at: v.nullable(v.string()),
  undo_until: v.string(),
  /** Why it can't be undone; null if it can. */
  blocker: v.nullable(v.string()),
});
export type Merge = v.InferOutput<typeof merge>;

export const anyBusiness = v.object({
  id: v.string(),
  name: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
  archived_at: v.nullable(v.string()),
  merged_into: v.nullable(named),
  /** Newest first. */
  merges: v.array(merge),
  facts,
  members: v.array(
    v.object({
      id: v.string(),
      name: personName,
      email: v.nullable(v.string()),
      role: v.picklist(BUSINESS_ROLES),
      joined_at: v.string(),
    }),
  ),
  /** Open ones. */
  invitations: v.number(),
  /** The latest 24, newest first. */
  snapshots: v.array(snapshot),
  /** The coaching sessions it can use. */
  sessions_left: sessionsLeft,
  plan: v.object({
    filled: v.number(),
    of: v.number(),
    saved_at: v.nullable(v.string()),
    /** What's filled in, by field. */
    texts: v.record(v.string(), v.string()),
  }),
  /** Its forecast and its calculators, as far as there are any, by kind. */
  worksheets: v.record(
    v.string(),
    v.object({ document: v.record(v.string(), v.unknown()), saved_at: v.string() }),
  ),
  tool_copies: v.number(),
  attempts: v.object({
    open: v.number(),
    finished: v.number(),
    /** How many people finished one. */
    people: v.number(),
    first_at: v.nullable(v.string()),
    latest_at: v.nullable(v.string()),
  }),
  /** What its members do about their focus areas, by state. */
  actions: v.object({ open: v.number(), done: v.number(), dropped: v.number() }),
  /** The 25 changed last. */
  projects: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      status: v.picklist(PROJECT_STATUSES),
      /** A date: `2026-11-28`. */
      due_on: v.nullable(v.string()),
      task_count: v.number(),
      done_count: v.number(),
    }),
  ),
  project_count: v.number(),
  /** Newest first, at most 50. */
  coaching: v.array(
    v.object({
      id: v.string(),
      state: v.picklist(ENGAGEMENT_STATES),
      requested_at: v.string(),
      assigned_at: v.nullable(v.string()),
      closed_at: v.nullable(v.string()),
      owner: personName,
      coach: personName,
    }),
  ),
  /** Orders for it, newest first, at most 50. */
  orders: v.array(listedOrder),
  /** Reported messages in conversations about its projects and coaching, newest first. */
  reports: v.array(
    v.object({
      id: v.string(),
      state: v.picklist(['open', 'settled']),
      about: v.string(),
      created_at: v.string(),
    }),
  ),
});
export type AnyBusiness = v.InferOutput<typeof anyBusiness>;

const mergePreview = v.object({
  parts: v.array(v.object({ name: v.string(), moves: v.number(), stays: v.number() })),
  /** Why it can't be done, in sentences. */
  blockers: v.array(v.string()),
});
export type MergePreview = v.InferOutput<typeof mergePreview>;

const changed = v.object({ ids: v.array(v.string()) });

/** A page of all businesses, with the regions to choose from. */
export const listAllBusinesses = (db: Db, filter: AllBusinessesFilter, limit?: number) =>
  readAdminList(db, 'admin_businesses', listedBusiness, filter, limit);

/** One business. Throws an AppError, `not-found` if it doesn't exist. */
export const getAnyBusiness = (db: Db, id: string) =>
  rpc(db, 'admin_business', anyBusiness, { p_id: id });

/** Archives up to 200 businesses. Returns those that weren't archived yet. Throws an AppError. */
export const archiveBusinesses = async (db: Db, ids: readonly string[], reason: string) =>
  (await rpc(db, 'archive_businesses', changed, { p_ids: [...ids], p_reason: reason })).ids;

/** Restores up to 200 businesses. Returns those that were archived. Throws an AppError. */
export const restoreBusinesses = async (db: Db, ids: readonly string[], reason: string) =>
  (await rpc(db, 'restore_businesses', changed, { p_ids: [...ids], p_reason: reason })).ids;

/** What merging one business into another would do. Throws an AppError. */
export const getMergePreview = (db: Db, from: string, into: string) =>
  rpc(db, 'admin_merge_preview', mergePreview, { p_from: from, p_into: into });

/** Merges a business into another. Returns the id of the merge. Throws an AppError. */
export const mergeBusinesses = async (db: Db, from: string, into: string, reason: string) =>
  (
    await rpc(db, 'merge_businesses', v.object({ id: v.string() }), {
      p_from: from,
      p_into: into,
      p_reason: reason,
    })
  ).id;

/** Undoes a merge of the last 30 days. Throws an AppError. */
export const undoMerge = (db: Db, id: string, reason: string) =>
  rpc(db, 'undo_merge', v.object({ id: v.string() }), { p_id: id, p_reason: reason });
