/** The toolbox: templates, guides and worksheets, the user's marks, and copies to fill in. */

import * as v from 'valibot';
import type { ToolContent } from '#domain/admin-tools.ts';
import { TOOL_CALCULATORS, TOOL_KINDS, type ToolFilter, type ToolMark } from '#domain/tool.ts';
import { AppError } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const toolSummary = v.object({
  slug: v.string(),
  title: v.string(),
  summary: v.string(),
  type: v.picklist(TOOL_KINDS),
  area_key: v.string(),
  levels: v.array(v.string()),
  minutes: v.number(),
  format: v.string(),
  /** When the user marked it, ISO 8601, or null. */
  saved_at: v.nullable(v.string()),
  done_at: v.nullable(v.string()),
});
export type ToolSummary = v.InferOutput<typeof toolSummary>;

/** The next tool for an area that the user's latest results recommend. */
export const recommendedTool = v.object({
  ...toolSummary.entries,
  /** 0 to 100, unrounded. */
  score: v.number(),
  submitted_at: v.string(),
});
export type RecommendedTool = v.InferOutput<typeof recommendedTool>;

/** A tool of the list. */
const toolItem = v.object({
  ...toolSummary.entries,
  /** Whether it's no longer offered, which only those who saved or did it see. */
  archived: v.boolean(),
});
export type ToolItem = v.InferOutput<typeof toolItem>;

export const toolList = v.object({
  items: v.array(toolItem),
  more: v.boolean(),
  page: v.number(),
  /** How many items match, counted up to `counted_to`. */
  total: v.number(),
  counted_to: v.number(),
  /** The requested area; null if it doesn't exist. */
  area: v.nullable(v.string()),
  areas: v.array(v.object({ key: v.string(), name: v.string(), short_name: v.string() })),
  /** Empty if the list is filtered, or without quiz results. */
  recommended: v.array(recommendedTool),
  /** The business's copies, last changed first. */
  copies: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      updated_at: v.string(),
      item_title: v.nullable(v.string()),
    }),
  ),
});
export type ToolList = v.InferOutput<typeof toolList>;

/** What people download: a file of a tool as its version names it. */
export const toolFile = v.object({
  id: v.string(),
  name: v.string(),
  /** Its media type. */
  type: v.string(),
  /** Bytes. */
  size: v.number(),
});
export type ToolFile = v.InferOutput<typeof toolFile>;

export const toolVideo = v.object({
  id: v.string(),
  type: v.string(),
  size: v.number(),
  /** How long it is; null if nobody knows. */
  seconds: v.nullable(v.number()),
  /** The id of its picture, if it has one. */
  poster: v.nullable(v.string()),
});
export type ToolVideo = v.InferOutput<typeof toolVideo>;

/** What comes with the text of a tool. */
const toolMedia = {
  /** In the order that people see. */
  files: v.array(toolFile),
  video: v.nullable(toolVideo),
  /** What's said and heard in the video, as WebVTT; '' for none. */
  captions: v.string(),
};

export const tool = v.object({
  ...toolSummary.entries,
  area_name: v.string(),
  version: v.number(),
  reviewed_on: v.string(),
  calculator: v.nullable(v.picklist(TOOL_CALCULATORS)),
  body_markdown: v.string(),
  ...toolMedia,
  /** Whether the build has the same words, and with them the tool's files. */
  is_built: v.boolean(),
  /** What changed in this version, in a sentence. */
  change: v.nullable(v.string()),
  /** Since when and why it's no longer offered; null if it's published. */
  archived: v.nullable(v.object({ at: v.nullable(v.string()), reason: v.nullable(v.string()) })),
  /** Whether businesses can fill in copies of it. */
  fillable: v.boolean(),
  copies: v.array(v.object({ id: v.string(), title: v.string(), updated_at: v.string() })),
});
export type Tool = v.InferOutput<typeof tool>;

/** The parts of a copy that change while people fill it in. */
export const copyState = v.object({
  title: v.string(),
  body_markdown: v.string(),
  revision: v.number(),
  updated_at: v.string(),
  updated_by: v.nullable(v.string()),
  updated_by_name: v.nullable(v.string()),
});
export type CopyState = v.InferOutput<typeof copyState>;

export const toolCopy = v.object({
  ...copyState.entries,
  id: v.string(),
  business: v.object({ id: v.string(), name: v.string(), archived: v.boolean() }),
  /** Null if the item no longer exists. */
  item: v.nullable(
    v.object({
      slug: v.string(),
      title: v.string(),
      version: v.number(),
      copied_version: v.number(),
      archived: v.boolean(),
      /** The versions since, and what changed in each, in a sentence. */
      changes: v.array(v.object({ version: v.number(), change: v.nullable(v.string()) })),
    }),
  ),
  may_edit: v.boolean(),
});
export type ToolCopy = v.InferOutput<typeof toolCopy>;

const publicSummary = {
  slug: v.string(),
  title: v.string(),
  summary: v.string(),
  type: v.picklist(TOOL_KINDS),
  area_key: v.string(),
  practice: v.nullable(v.string()),
  minutes: v.number(),
};
const publicTool = v.object({
  ...publicSummary,
  levels: v.array(v.string()),
  format: v.string(),
  version: v.number(),
  reviewed_on: v.string(),
  calculator: v.nullable(v.picklist(TOOL_CALCULATORS)),
  body_markdown: v.string(),
  ...toolMedia,
  /** Whether the build has the same words. */
  is_built: v.boolean(),
});
export type PublicTool = v.InferOutput<typeof publicTool>;

/** What people read of a tool, as admins write it. */
export const toolContent = {
  title: v.string(),
  summary: v.string(),
  type: v.picklist(TOOL_KINDS),
  area_key: v.string(),
  practice: v.nullable(v.string()),
  levels: v.array(v.string()),
  minutes: v.nullable(v.number()),
  format: v.string(),
  calculator: v.nullable(v.picklist(TOOL_CALCULATORS)),
  body_markdown: v.string(),
  ...toolMedia,
};

/** A draft or a published version. */
export const toolVersion = v.object({
  id: v.string(),
  ...toolContent,
  /** What a tool that was never published wants as its address; '' for one made of its title. */
  slug: v.string(),
  /** Null for a draft. */
  version: v.nullable(v.number()),
  /** The version that the draft began as. */
  based_on: v.nullable(v.number()),
  revision: v.number(),
  updated_at: v.string(),
  updated_by: v.nullable(v.string()),
  updated_by_name: v.nullable(v.string()),
});
export type ToolVersion = v.InferOutput<typeof toolVersion>;

/** SQLSTATE for a string that isn't a UUID. */
const NO_UUID = '22P02';

/** A page of 24 matching published items, and what the page shows around them. */
export async function listToolbox(
  db: Db,
  filter: ToolFilter,
  businessId: string | null,
): Promise<ToolList> {
  return rpc(db, 'list_toolbox', toolList, {
    ...(businessId && { p_business_id: businessId }),
    p_query: filter.query,
    ...(filter.area && { p_area: filter.area }),
    ...(filter.type && { p_type: filter.type }),
    ...(filter.level && { p_level: filter.level }),
    ...(filter.mark && { p_mark: filter.mark }),
    p_page: filter.page,
  });
}

/** One published item; null if no item has that slug. */
export async function getTool(
  db: Db,
  slug: string,
  businessId: string | null,
): Promise<Tool | null> {
  return rpc(db, 'get_tool', v.nullable(tool), {
    p_slug: slug,
    ...(businessId && { p_business_id: businessId }),
  });
}

/** A copy; null if it doesn't exist or the user can't read it. */
export async function getToolCopy(db: Db, id: string): Promise<ToolCopy | null> {
  try {
    return await rpc(db, 'get_tool_copy', v.nullable(toolCopy), { p_id: id });
  } catch (error) {
    if (error instanceof AppError && error.code === NO_UUID) return null;
    throw error;
  }
}

/** Sets or clears a mark. Idempotent. */
export async function markTool(db: Db, slug: string, mark: ToolMark, on: boolean): Promise<void> {
  await rpc(db, 'mark_tool', ignored, { p_slug: slug, p_mark: mark, p_on: on });
}

/** Copies an item into a business. Idempotent by the id, which the caller generates. */
export async function copyTool(
  db: Db,
  copy: { id: string; slug: string; businessId: string },
): Promise<void> {
  await rpc(db, 'copy_tool', ignored, {
    p_id: copy.id,
    p_slug: copy.slug,
    p_business_id: copy.businessId,
  });
}

/**
 * Saves edits based on a revision; idempotent. If someone else was faster, nothing is saved and
 * `copy` is theirs.
 */
export async function saveToolCopy(
  db: Db,
  id: string,
  change: { revision: number; title: string; body: string },
): Promise<{ saved: boolean; copy: CopyState }> {
  return rpc(
    db,
    'save_tool_copy',
    v.object({ saved: v.boolean(), copy: v.object({ id: v.string(), ...copyState.entries }) }),
    {
      p_id: id,
      p_revision: change.revision,
      p_title: change.title,
      p_body: change.body,
    },
  );
}

/** Removes a copy, or with `false` restores it within 30 days. */
export async function removeToolCopy(db: Db, id: string, removed: boolean): Promise<void> {
  await rpc(db, 'remove_tool_copy', ignored, { p_id: id, p_removed: removed });
}

/** The published tools, the shortest first; anyone can read them. Throws an AppError. */
export const listPublicTools = (db: Db) =>
  rpc(db, 'list_public_tools', v.array(v.object(publicSummary)));

/** One published tool, for anyone. Throws an AppError, `not-found` if there's none. */
export const getPublicTool = (db: Db, slug: string) =>
  rpc(db, 'get_public_tool', publicTool, { p_slug: slug });

/**
 * Whether the page of a tool that the build made still says what's published, or without a slug the
 * page of all tools. True if there's no such tool. Throws an AppError.
 */
export const isToolAsBuilt = (db: Db, slug?: string): Promise<boolean> =>
  rpc(db, 'is_tool_as_built', v.boolean(), slug === undefined ? {} : { p_slug: slug });

const savedDraft = v.object({ saved: v.boolean(), draft: toolVersion });

/**
 * An admin saves a draft unless someone has changed it since this revision. Here because what sends
 * copies of tools sends drafts, too. Throws an AppError.
 */
export const saveToolDraft = (
  db: Db,
  draftId: string,
  { revision, ...draft }: ToolContent & { slug: string; revision: number },
) =>
  rpc(db, 'save_tool_draft', savedDraft, {
    p_id: draftId,
    p_revision: revision,
    p_content: {
      ...draft,
      levels: [...draft.levels],
      files: draft.files.map(({ id, name }) => ({ id, name })),
      video: draft.video && { id: draft.video.id, poster: draft.video.poster },
    },
  });
