/** The toolbox: templates, guides and worksheets, what a person marked, and copies to fill in. */

import type { ToolCalculator, ToolFilter, ToolKind, ToolMark } from '#domain/tool.ts';
import type { Tables } from '#lib/database.types.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

export type SkillArea = Pick<Tables<'skill_areas'>, 'key' | 'name' | 'short_name' | 'position'>;

export interface ToolSummary {
  slug: string;
  title: string;
  summary: string;
  type: ToolKind;
  area_key: string;
  levels: string[];
  minutes: number;
  format: string;
  /** When the person marked it, ISO 8601, or null. */
  saved_at: string | null;
  done_at: string | null;
}

/** The next tool for an area that the person's latest results named. */
export interface RecommendedTool extends ToolSummary {
  /** 0 to 100, unrounded. */
  score: number;
  submitted_at: string;
}

export interface ToolList {
  items: ToolSummary[];
  more: boolean;
  page: number;
  /** How many fit, counted up to `counted_to`. */
  total: number;
  counted_to: number;
  /** The area that was asked for; null where there is no such area. */
  area: string | null;
  areas: Pick<SkillArea, 'key' | 'name' | 'short_name'>[];
  /** Empty where something narrows the list, or without results. */
  recommended: RecommendedTool[];
  /** Those of the business, last changed first. */
  copies: { id: string; title: string; updated_at: string; item_title: string | null }[];
}

export interface Tool extends ToolSummary {
  area_name: string;
  version: number;
  reviewed_on: string;
  calculator: ToolCalculator | null;
  body_markdown: string;
  /** Whether a business can have copies of it to fill in. */
  fillable: boolean;
  copies: { id: string; title: string; updated_at: string }[];
}

/** What of a copy changes while people fill it in. */
export interface CopyState {
  title: string;
  body_markdown: string;
  revision: number;
  updated_at: string;
  updated_by: string | null;
  updated_by_name: string | null;
}

export interface ToolCopy extends CopyState {
  id: string;
  business: { id: string; name: string; archived: boolean };
  /** Null when the item is no longer published. */
  item: { slug: string; title: string; version: number; copied_version: number } | null;
  may_edit: boolean;
}

/** SQLSTATE of an id that cannot be one. */
const NO_UUID = '22P02';

/** A page of 24 published items that fit, with what stands around them. */
export async function listToolbox(
  db: Db,
  filter: ToolFilter,
  businessId: string | null,
): Promise<ToolList> {
  return dataOf(
    await db.rpc('list_toolbox', {
      ...(businessId && { p_business_id: businessId }),
      p_query: filter.query,
      ...(filter.area && { p_area: filter.area }),
      ...(filter.type && { p_type: filter.type }),
      ...(filter.level && { p_level: filter.level }),
      ...(filter.mark && { p_mark: filter.mark }),
      p_page: filter.page,
    }),
  ) as unknown as ToolList;
}

/** One published item, or null when there is none of that name. */
export async function getTool(
  db: Db,
  slug: string,
  businessId: string | null,
): Promise<Tool | null> {
  const { data, error, status } = await db.rpc('get_tool', {
    p_slug: slug,
    ...(businessId && { p_business_id: businessId }),
  });
  if (error) throw toAppError(error, status);
  return data as unknown as Tool | null;
}

/** A copy that the person may read, or null. */
export async function getToolCopy(db: Db, id: string): Promise<ToolCopy | null> {
  const { data, error, status } = await db.rpc('get_tool_copy', { p_id: id });
  if (error?.code === NO_UUID) return null;
  if (error) throw toAppError(error, status);
  return data as unknown as ToolCopy | null;
}

/** Sets a mark, or takes it away. Saying it twice changes nothing. */
export async function markTool(db: Db, slug: string, mark: ToolMark, on: boolean): Promise<void> {
  const { error, status } = await db.rpc('mark_tool', { p_slug: slug, p_mark: mark, p_on: on });
  if (error) throw toAppError(error, status);
}

/** Copies an item into a business, once under the id that the caller made. */
export async function copyTool(
  db: Db,
  copy: { id: string; slug: string; businessId: string },
): Promise<void> {
  const { error, status } = await db.rpc('copy_tool', {
    p_id: copy.id,
    p_slug: copy.slug,
    p_business_id: copy.businessId,
  });
  if (error) throw toAppError(error, status);
}

/**
 * Saves a copy that still stands at `revision`. Where somebody was faster nothing is saved, and
 * `copy` is theirs. Sent twice it is saved once.
 */
export async function saveToolCopy(
  db: Db,
  id: string,
  change: { revision: number; title: string; body: string },
): Promise<{ saved: boolean; copy: CopyState }> {
  return dataOf(
    await db.rpc('save_tool_copy', {
      p_id: id,
      p_revision: change.revision,
      p_title: change.title,
      p_body: change.body,
    }),
  ) as unknown as { saved: boolean; copy: CopyState };
}

/** Removes a copy, or brings it back within 30 days. */
export async function removeToolCopy(db: Db, id: string, removed: boolean): Promise<void> {
  const { error, status } = await db.rpc('remove_tool_copy', { p_id: id, p_removed: removed });
  if (error) throw toAppError(error, status);
}

/** The eight areas in their order. */
export async function listAreas(db: Db): Promise<SkillArea[]> {
  return dataOf(
    await db.from('skill_areas').select('key, name, short_name, position').order('position'),
  );
}
