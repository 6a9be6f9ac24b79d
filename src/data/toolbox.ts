/** The toolbox: templates, guides and worksheets that help with one area. */

import type { Tables } from '#lib/database.types.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

type Row = Tables<'toolbox_items'>;

export type ToolboxSummary = Pick<
  Row,
  'slug' | 'title' | 'summary' | 'type' | 'area_key' | 'levels' | 'minutes' | 'format'
>;
export type ToolboxItem = ToolboxSummary &
  Pick<Row, 'id' | 'version' | 'reviewed_on' | 'body_markdown'>;
export type SkillArea = Pick<Tables<'skill_areas'>, 'key' | 'name' | 'short_name' | 'position'>;

/** The published items, shortest first, without their bodies. */
export async function listToolbox(db: Db): Promise<ToolboxSummary[]> {
  return dataOf(
    await db
      .from('toolbox_items')
      .select('slug, title, summary, type, area_key, levels, minutes, format')
      .eq('state', 'published')
      .order('minutes')
      .order('title'),
  );
}

/** One published item, or null when there is none of that name. */
export async function getToolboxItem(db: Db, slug: string): Promise<ToolboxItem | null> {
  const { data, error, status } = await db
    .from('toolbox_items')
    .select(
      'id, slug, title, summary, type, area_key, levels, minutes, format, version, reviewed_on, body_markdown',
    )
    .eq('state', 'published')
    .eq('slug', slug)
    .maybeSingle();
  if (error) throw toAppError(error, status);
  return data;
}

/** The eight areas in their order. */
export async function listAreas(db: Db): Promise<SkillArea[]> {
  return dataOf(
    await db.from('skill_areas').select('key, name, short_name, position').order('position'),
  );
}
