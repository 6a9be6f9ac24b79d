/** The toolbox: templates, guides and worksheets, what a person marked, and copies to fill in. */

import * as v from 'valibot';
import { TOOL_CALCULATORS, TOOL_KINDS, type ToolFilter, type ToolMark } from '#domain/tool.ts';
import type { Tables } from '#lib/database.types.ts';
import { AppError, dataOf } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export type SkillArea = Pick<Tables<'skill_areas'>, 'key' | 'name' | 'short_name' | 'position'>;

export const toolSummary = v.object({
  slug: v.string(),
  title: v.string(),
  summary: v.string(),
  type: v.picklist(TOOL_KINDS),
  area_key: v.string(),
  levels: v.array(v.string()),
  minutes: v.number(),
  format: v.string(),
  /** When the person marked it, ISO 8601, or null. */
  saved_at: v.nullable(v.string()),
  done_at: v.nullable(v.string()),
});
export type ToolSummary = v.InferOutput<typeof toolSummary>;

/** The next tool for an area that the person's latest results named. */
export const recommendedTool = v.object({
  ...toolSummary.entries,
  /** 0 to 100, unrounded. */
  score: v.number(),
  submitted_at: v.string(),
});
export type RecommendedTool = v.InferOutput<typeof recommendedTool>;

export const toolList = v.object({
  items: v.array(toolSummary),
  more: v.boolean(),
  page: v.number(),
  /** How many fit, counted up to `counted_to`. */
  total: v.number(),
  counted_to: v.number(),
  /** The area that was asked for; null where there is no such area. */
  area: v.nullable(v.string()),
  areas: v.array(v.object({ key: v.string(), name: v.string(), short_name: v.string() })),
  /** Empty where something narrows the list, or without results. */
  recommended: v.array(recommendedTool),
  /** Those of the business, last changed first. */
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

export const tool = v.object({
  ...toolSummary.entries,
  area_name: v.string(),
  version: v.number(),
  reviewed_on: v.string(),
  calculator: v.nullable(v.picklist(TOOL_CALCULATORS)),
  body_markdown: v.string(),
  /** Whether a business can have copies of it to fill in. */
  fillable: v.boolean(),
  copies: v.array(v.object({ id: v.string(), title: v.string(), updated_at: v.string() })),
});
export type Tool = v.InferOutput<typeof tool>;

/** What of a copy changes while people fill it in. */
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
  /** Null when the item is no longer published. */
  item: v.nullable(
    v.object({
      slug: v.string(),
      title: v.string(),
      version: v.number(),
      copied_version: v.number(),
    }),
  ),
  may_edit: v.boolean(),
});
export type ToolCopy = v.InferOutput<typeof toolCopy>;

/** SQLSTATE of an id that cannot be one. */
const NO_UUID = '22P02';

/** A page of 24 published items that match, and what the page shows around them. */
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

/** One published item, or null when there is none of that name. */
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

/** A copy that the person may read, or null. */
export async function getToolCopy(db: Db, id: string): Promise<ToolCopy | null> {
  try {
    return await rpc(db, 'get_tool_copy', v.nullable(toolCopy), { p_id: id });
  } catch (error) {
    if (error instanceof AppError && error.code === NO_UUID) return null;
    throw error;
  }
}

/** Sets a mark, or takes it away. Saying it twice changes nothing. */
export async function markTool(db: Db, slug: string, mark: ToolMark, on: boolean): Promise<void> {
  await rpc(db, 'mark_tool', ignored, { p_slug: slug, p_mark: mark, p_on: on });
}

/** Copies an item into a business, once under the id that the caller made. */
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
 * Saves a copy that's still at `revision`. If someone was faster nothing is saved, and
 * `copy` is theirs. Sent twice it is saved once.
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

/** Removes a copy, or brings it back within 30 days. */
export async function removeToolCopy(db: Db, id: string, removed: boolean): Promise<void> {
  await rpc(db, 'remove_tool_copy', ignored, { p_id: id, p_removed: removed });
}

/** The eight areas in their order. */
export async function listAreas(db: Db): Promise<SkillArea[]> {
  return dataOf(
    await db.from('skill_areas').select('key, name, short_name, position').order('position'),
  );
}
