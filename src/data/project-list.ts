/** The projects of one or all businesses, a page at a time. */
import * as v from 'valibot';
import type { ListPage } from '#domain/list.ts';
import { PROJECT_STATUSES, TASK_STATES } from '#domain/project.ts';
import { type ProjectFilter, statusesOf } from '#domain/project-list.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { placesAround } from './keyset.ts';
import { area, projectMove } from './projects.ts';

export const listedProject = v.object({
  id: v.string(),
  title: v.string(),
  status: v.picklist(PROJECT_STATUSES),
  area_key: v.nullable(v.string()),
  /** A date: `2026-11-28`. */
  due_on: v.nullable(v.string()),
  blocked_reason: v.nullable(v.string()),
  updated_at: v.string(),
  task_count: v.number(),
  done_count: v.number(),
  business: v.object({ id: v.string(), name: v.string() }),
  next_task: v.nullable(
    v.object({
      title: v.string(),
      state: v.picklist(TASK_STATES),
      due_on: v.nullable(v.string()),
    }),
  ),
  /** The moves the user can make. */
  moves: v.array(projectMove),
  /** The sort key; null once the project was moved locally, because its new one isn't known. */
  key: v.nullable(v.string()),
});
export type ListedProject = v.InferOutput<typeof listedProject>;

const projectAnswer = v.object({
  projects: v.array(listedProject),
  more: v.boolean(),
  /** By status, up to `counted`. Null, like `areas`, if the caller passed a limit. */
  counts: v.nullable(v.object(v.entriesFromList(PROJECT_STATUSES, v.number()))),
  /** The database stops counting each status here. */
  counted: v.number(),
  areas: v.nullable(v.array(area)),
});
type ProjectAnswer = v.InferOutput<typeof projectAnswer>;

export interface ProjectPage
  extends ListPage<ListedProject>,
    Pick<ProjectAnswer, 'counts' | 'areas'> {}

/**
 * A page of the projects that match a filter.
 * @param businessId null for all businesses that the user can read
 * @param limit at most 500; by default 25, or 12 of each status on a board
 */
export async function listProjects(
  db: Db,
  filter: ProjectFilter,
  businessId: string | null,
  limit: number | null = null,
): Promise<ProjectPage> {
  const { projects, more, counts, counted, areas } = await rpc(db, 'list_projects', projectAnswer, {
    ...(businessId ? { p_business_id: businessId } : {}),
    ...(filter.area ? { p_area_key: filter.area } : {}),
    ...(filter.place ? { p_place: { ...filter.place } } : {}),
    ...(limit ? { p_limit: limit } : {}),
    p_statuses: [...statusesOf(filter)],
    p_query: filter.words,
    p_sort: filter.sort,
    p_view: filter.view,
  });
  const fitting = statusesOf(filter).map((status) => counts?.[status] ?? 0);
  return {
    rows: projects,
    counts,
    areas,
    ...placesAround(projects, filter.place, more),
    count: counts && {
      total: fitting.reduce((sum, each) => sum + each, 0),
      atLeast: fitting.some((each) => each >= counted),
    },
  };
}
