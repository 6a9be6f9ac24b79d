/** Projects of a business: the list, one with everything its page shows, and what people do with it. */
import * as v from 'valibot';

import type { ListPage } from '#domain/list.ts';
import {
  PROJECT_STATUSES,
  type ProjectFilter,
  type ProjectStatus,
  statusesOf,
  TASK_STATES,
} from '#domain/project.ts';
import { AppError } from '#lib/errors.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { placesAround } from './keyset.ts';

/** `edit`: a member. `share`: the coach, who edits outcome, baseline and dates. `admin`: written down. */
export const projectRight = v.picklist(['edit', 'share', 'admin']);
export type ProjectRight = v.InferOutput<typeof projectRight>;

export const area = v.object({ key: v.string(), name: v.string() });
export type Area = v.InferOutput<typeof area>;

/** A step that the project may take now; `note` says that it asks why. */
export const projectMove = v.object({ to: v.picklist(PROJECT_STATUSES), note: v.boolean() });
export type ProjectMove = v.InferOutput<typeof projectMove>;

export const listedProject = v.object({
  id: v.string(),
  title: v.string(),
  status: v.picklist(PROJECT_STATUSES),
  area_key: v.nullable(v.string()),
  /** A day: `2026-11-28`. */
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
  /** The steps that this person may let it take. */
  moves: v.array(projectMove),
  /** What the list is sorted by; null where it was moved since and nobody knows its new place. */
  key: v.nullable(v.string()),
});
export type ListedProject = v.InferOutput<typeof listedProject>;

const projectAnswer = v.object({
  projects: v.array(listedProject),
  more: v.boolean(),
  /** By status, 200 for 200 or more; null where the caller says how many, as are the areas. */
  counts: v.nullable(v.object(v.entriesFromList(PROJECT_STATUSES, v.number()))),
  areas: v.nullable(v.array(area)),
});
type ProjectAnswer = v.InferOutput<typeof projectAnswer>;

export interface ProjectPage
  extends ListPage<ListedProject>,
    Pick<ProjectAnswer, 'counts' | 'areas'> {}

/** From so many of one status on the database counts no further. */
const COUNTED = 200;

export const project = v.object({
  id: v.string(),
  business_id: v.string(),
  title: v.string(),
  area_key: v.nullable(v.string()),
  engagement_id: v.nullable(v.string()),
  outcome: v.nullable(v.string()),
  baseline: v.nullable(v.string()),
  start_on: v.nullable(v.string()),
  due_on: v.nullable(v.string()),
  status: v.picklist(PROJECT_STATUSES),
  blocked_reason: v.nullable(v.string()),
  /** Grows with every change of what is written. */
  revision: v.number(),
  task_count: v.number(),
  done_count: v.number(),
  created_at: v.string(),
  updated_at: v.string(),
  /** Who saved it last; null when the account is gone. */
  saved_by: v.nullable(v.string()),
});
export type Project = v.InferOutput<typeof project>;

export const projectTask = v.object({
  id: v.string(),
  title: v.string(),
  state: v.picklist(TASK_STATES),
  blocked_reason: v.nullable(v.string()),
  due_on: v.nullable(v.string()),
  position: v.string(),
  revision: v.number(),
});
export type ProjectTask = v.InferOutput<typeof projectTask>;

/** What was written about a project, or a step that it took. */
export const historyEntry = v.object({
  id: v.string(),
  kind: v.picklist(['update', 'created', 'moved']),
  at: v.string(),
  from: v.nullable(v.picklist(PROJECT_STATUSES)),
  to: v.nullable(v.picklist(PROJECT_STATUSES)),
  /** The update, or the note of a step. */
  body: v.nullable(v.string()),
  by: v.nullable(v.string()),
  mine: v.boolean(),
});
export type HistoryEntry = v.InferOutput<typeof historyEntry>;

export const projectFile = v.object({
  id: v.string(),
  name: v.string(),
  type: v.string(),
  /** Bytes. */
  size: v.number(),
  path: v.string(),
  created_at: v.string(),
  by: v.nullable(v.string()),
  mine: v.boolean(),
});
export type ProjectFile = v.InferOutput<typeof projectFile>;

export const projectChoices = v.object({
  areas: v.array(area),
  engagements: v.array(
    v.object({
      id: v.string(),
      state: v.string(),
      requested_at: v.string(),
      coach: v.nullable(v.string()),
    }),
  ),
});
export type ProjectChoices = v.InferOutput<typeof projectChoices>;

export const projectView = v.object({
  ...projectChoices.entries,
  project: project,
  business_name: v.string(),
  /** The business is archived: all of it is read and nothing changed. */
  archived: v.boolean(),
  right: projectRight,
  /** Whether there is someone to write to about it. */
  may_write: v.boolean(),
  moves: v.array(projectMove),
  /** The first 100. */
  tasks: v.array(projectTask),
  /** The latest 30, newest first. */
  history: v.array(historyEntry),
  files: v.array(projectFile),
});
export type ProjectView = v.InferOutput<typeof projectView>;

/** What a new project can start with. */
export const projectStart = v.object({
  ...projectChoices.entries,
  from: v.nullable(
    v.object({
      area_key: v.string(),
      practice: v.string(),
      action: v.string(),
      /** The latest score of the area, 0 to 100. */
      score: v.nullable(v.object({ score: v.number(), on: v.string() })),
    }),
  ),
});
export type ProjectStart = v.InferOutput<typeof projectStart>;

/** What is written about a project; days as `2026-11-28`, empty for none. */
export interface ProjectInput {
  title: string;
  areaKey: string;
  outcome: string;
  baseline: string;
  startOn: string;
  dueOn: string;
  engagementId: string;
}

/** How many tasks and how many entries of the history come at once. */
export const TASK_PAGE = 100;
export const HISTORY_PAGE = 30;

/**
 * A page of the projects that a filter shows.
 * @param businessId null for those of every business that the person reads
 * @param limit how many, at most 500; without it 25, or 12 of each status on a board
 */
export async function listProjects(
  db: Db,
  filter: ProjectFilter,
  businessId: string | null,
  limit: number | null = null,
): Promise<ProjectPage> {
  const { projects, more, counts, areas } = await rpc(db, 'list_projects', projectAnswer, {
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
      atLeast: fitting.some((each) => each >= COUNTED),
    },
  };
}

/** One project with everything its page shows; null where it is not there or not for this person. */
export const getProject = (db: Db, id: string) =>
  rpc(db, 'get_project', v.nullable(projectView), { p_id: id });

/** What the page of a new project shows, and the 30-day action that led there. */
export const getProjectStart = (
  db: Db,
  businessId: string,
  from: { area: string | null; question: string | null },
) =>
  rpc(db, 'project_start', projectStart, {
    p_business_id: businessId,
    ...(from.area ? { p_area_key: from.area } : {}),
    ...(from.question ? { p_question_key: from.question } : {}),
  });

const written = (input: ProjectInput) => ({
  p_title: input.title,
  p_outcome: input.outcome,
  p_baseline: input.baseline,
  ...(input.areaKey ? { p_area_key: input.areaKey } : {}),
  ...(input.startOn ? { p_start_on: input.startOn } : {}),
  ...(input.dueOn ? { p_due_on: input.dueOn } : {}),
  ...(input.engagementId ? { p_engagement_id: input.engagementId } : {}),
});

/**
 * Makes a draft under an id from here. Sent twice it stays one, with the words that came last: the
 * first answer may have been lost. Throws `invalid` with the field.
 */
export async function createProject(
  db: Db,
  id: string,
  businessId: string,
  input: ProjectInput,
): Promise<void> {
  const { made } = await rpc(
    db,
    'create_project',
    v.object({ id: v.string(), made: v.boolean(), revision: v.number() }),
    {
      p_id: id,
      p_business_id: businessId,
      ...written(input),
    },
  );
  if (made) return;
  const { saved } = await saveProject(db, id, 1, input);
  if (!saved) throw new AppError('conflict', CHANGED_SINCE);
}

const CHANGED_SINCE =
  'Your first try saved this project, and someone has changed it since. Open it from the list.';

/**
 * Saves what was edited on top of a revision.
 * @returns with `saved` false someone else was faster: the project is theirs, nothing was written
 */
export const saveProject = (db: Db, id: string, revision: number, input: ProjectInput) =>
  rpc(db, 'save_project', v.object({ saved: v.boolean(), project: project }), {
    p_id: id,
    p_revision: revision,
    ...written(input),
  });

export const moveAnswer = v.object({
  status: v.picklist(PROJECT_STATUSES),
  /** Why the step was not taken, in words. */
  refused: v.nullable(v.string()),
  revision: v.number(),
  blocked_reason: v.nullable(v.string()),
  moves: v.array(projectMove),
});
export type MoveAnswer = v.InferOutput<typeof moveAnswer>;

/** Takes a project a step further. A refused step is an answer; `refused` says why. */
export const moveProject = (db: Db, id: string, to: ProjectStatus, note: string) =>
  rpc(db, 'move_project', moveAnswer, { p_id: id, p_status: to, p_note: note });

/** Writes an update under an id from here. Sent twice it stays one. Gives when it was written. */
export const createProjectUpdate = (
  db: Db,
  update: { id: string; projectId: string; body: string },
) =>
  rpc(db, 'add_project_update', v.object({ id: v.string(), at: v.string() }), {
    p_id: update.id,
    p_project_id: update.projectId,
    p_body: update.body,
  });

/** The entries before one of the history, newest first. */
export const listProjectHistory = (db: Db, id: string, before: { at: string; id: string }) =>
  rpc(db, 'list_project_history', v.array(historyEntry), {
    p_id: id,
    p_before: before.at,
    p_before_id: before.id,
  });
