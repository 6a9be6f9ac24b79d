/** The toolbox as admins write it: drafts, versions, reviews and the archive. */
import * as v from 'valibot';
import { type AdminToolFilter, TOOL_STATES } from '#domain/admin-tools.ts';
import { TOOL_KINDS } from '#domain/tool.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';
import { toolContent, toolVersion } from './toolbox.ts';

const dates = {
  state: v.picklist(TOOL_STATES),
  /** The number of the published version. */
  version: v.number(),
  /** Dates: `2026-11-28`. */
  reviewed_on: v.string(),
  review_due_on: v.string(),
};
const counts = { saved: v.number(), done: v.number(), copies: v.number() };

export const listedTool = listedRow({
  slug: v.string(),
  title: v.string(),
  /** The area's name, and the practice's; null for none in particular. */
  area: v.string(),
  practice: v.nullable(v.string()),
  type: v.picklist(TOOL_KINDS),
  levels: v.array(v.string()),
  ...dates,
  /** Whether its next version is being written. */
  has_draft: v.boolean(),
  updated_at: v.string(),
  ...counts,
});
export type ListedTool = v.InferOutput<typeof listedTool>;

export const adminTool = v.object({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  ...dates,
  review_months: v.number(),
  archived_at: v.nullable(v.string()),
  archived_reason: v.nullable(v.string()),
  /** What people see; null if it was never published. */
  content: v.nullable(v.object(toolContent)),
  draft: v.nullable(toolVersion),
  /** The published versions, newest first. */
  versions: v.array(
    v.object({
      version: v.number(),
      /** What changed since the one before, in a sentence. */
      change: v.nullable(v.string()),
      published_at: v.string(),
      /** Whether it came with the site instead of being written by an admin. */
      from_content: v.boolean(),
      by: v.nullable(v.string()),
    }),
  ),
  ...counts,
  /** The practices that other published tools do. */
  taken: v.array(v.object({ practice: v.string(), title: v.string(), id: v.string() })),
  /** Every area with the practices that the quiz asks about. */
  areas: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      practices: v.array(v.object({ key: v.string(), name: v.string() })),
    }),
  ),
});
export type AdminTool = v.InferOutput<typeof adminTool>;

/** A page of all tools, with the areas and the practices that no published tool does. */
export const listAdminTools = (db: Db, filter: AdminToolFilter, limit?: number) =>
  readAdminList(db, 'admin_tools', listedTool, filter, limit);

/** One tool. Throws an AppError, `not-found` if there's none. */
export const getAdminTool = (db: Db, id: string) => rpc(db, 'admin_tool', adminTool, { p_id: id });

/** A published version in full. Throws an AppError, `not-found` if there's none. */
export const getToolVersion = (db: Db, id: string, version: number) =>
  rpc(db, 'admin_tool_version', toolVersion, { p_id: id, p_version: version });

/** Starts a tool, once under its id, for a practice if there's one. Throws an AppError. */
export const createTool = (db: Db, id: string, practice?: string) =>
  rpc(db, 'create_tool', adminTool, { p_id: id, ...(practice && { p_practice: practice }) });

/**
 * Starts the draft of a tool's next version.
 * @param version the earlier version it begins as; by default the current one
 * @throws AppError
 */
export const editTool = (db: Db, id: string, version?: number) =>
  rpc(db, 'edit_tool', adminTool, { p_id: id, ...(version && { p_version: version }) });

/** Deletes a draft, and a tool that was never published with it; returns the tool or null. */
export const removeToolDraft = (db: Db, draftId: string) =>
  rpc(db, 'remove_tool_draft', v.nullable(adminTool), { p_id: draftId });

/** Publishes this revision of a draft. Throws an AppError. */
export const publishTool = (db: Db, draftId: string, revision: number, change: string) =>
  rpc(db, 'publish_tool', adminTool, { p_id: draftId, p_revision: revision, p_change: change });

/** Records that a published tool was checked today and needs no change. Throws an AppError. */
export const reviewTool = (db: Db, id: string, note: string) =>
  rpc(db, 'review_tool', adminTool, { p_id: id, p_note: note });

/** Sets how many months a review lasts. Throws an AppError. */
export const setToolReview = (db: Db, id: string, months: number) =>
  rpc(db, 'set_tool_review', adminTool, { p_id: id, p_months: months });

/** Takes a tool out of the toolbox. Throws an AppError. */
export const archiveTool = (db: Db, id: string, reason: string) =>
  rpc(db, 'archive_tool', adminTool, { p_id: id, p_reason: reason });

/** Puts an archived tool back. Throws an AppError. */
export const restoreTool = (db: Db, id: string) => rpc(db, 'restore_tool', adminTool, { p_id: id });
