/** Projects of a business: the list, one with everything its page shows, and what people do with it. */
import {
  type ProjectFilter,
  type ProjectStatus,
  statusesOf,
  type TaskState,
} from '#domain/project.ts';
import { AppError, dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

/** `edit`: a member. `share`: the coach, who edits outcome, baseline and dates. `admin`: written down. */
export type ProjectRight = 'edit' | 'share' | 'admin';

export interface Area {
  key: string;
  name: string;
}

export interface ListedProject {
  id: string;
  title: string;
  status: ProjectStatus;
  area_key: string | null;
  /** A day: `2026-11-28`. */
  due_on: string | null;
  blocked_reason: string | null;
  updated_at: string;
  task_count: number;
  done_count: number;
  business: { id: string; name: string };
  next_task: { title: string; state: TaskState; due_on: string | null } | null;
  /** The steps that this person may let it take. */
  moves: ProjectMove[];
  /** What the list is sorted by; null where it was moved since and nobody knows its new place. */
  key: string | null;
}

export interface ProjectPage {
  projects: ListedProject[];
  more: boolean;
  /** By status, 200 for 200 or more; null when a page follows another one, as are the areas. */
  counts: Record<ProjectStatus, number> | null;
  areas: Area[] | null;
}

export interface Project {
  id: string;
  business_id: string;
  title: string;
  area_key: string | null;
  engagement_id: string | null;
  outcome: string | null;
  baseline: string | null;
  start_on: string | null;
  due_on: string | null;
  status: ProjectStatus;
  blocked_reason: string | null;
  /** Grows with every change of what is written. */
  revision: number;
  task_count: number;
  done_count: number;
  created_at: string;
  updated_at: string;
  /** Who saved it last; null when the account is gone. */
  saved_by: string | null;
}

/** A step that the project may take now; `note` says that it asks why. */
export interface ProjectMove {
  to: ProjectStatus;
  note: boolean;
}

export interface ProjectTask {
  id: string;
  title: string;
  state: TaskState;
  blocked_reason: string | null;
  due_on: string | null;
  position: string;
  revision: number;
}

/** What was written about a project, or a step that it took. */
export interface HistoryEntry {
  id: string;
  kind: 'update' | 'created' | 'moved';
  at: string;
  from: ProjectStatus | null;
  to: ProjectStatus | null;
  /** The update, or the note of a step. */
  body: string | null;
  by: string | null;
  mine: boolean;
}

export interface ProjectFile {
  id: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  path: string;
  created_at: string;
  by: string | null;
  mine: boolean;
}

export interface ProjectChoices {
  areas: Area[];
  engagements: {
    id: string;
    state: string;
    requested_at: string;
    coach: string | null;
  }[];
}

export interface ProjectView extends ProjectChoices {
  project: Project;
  business_name: string;
  /** The business is archived: all of it is read and nothing changed. */
  archived: boolean;
  right: ProjectRight;
  /** Whether there is somebody to write to about it. */
  may_write: boolean;
  moves: ProjectMove[];
  /** The first 100. */
  tasks: ProjectTask[];
  /** The latest 30, newest first. */
  history: HistoryEntry[];
  files: ProjectFile[];
}

/** What a new project may begin with. */
export interface ProjectStart extends ProjectChoices {
  from: {
    area_key: string;
    practice: string;
    action: string;
    /** The latest score of the area, 0 to 100. */
    score: { score: number; on: string } | null;
  } | null;
}

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
  return dataOf(
    await db.rpc('list_projects', {
      ...(businessId ? { p_business_id: businessId } : {}),
      ...(filter.area ? { p_area_key: filter.area } : {}),
      ...(filter.place ? { p_place: { ...filter.place } } : {}),
      ...(limit ? { p_limit: limit } : {}),
      p_statuses: [...statusesOf(filter)],
      p_query: filter.words,
      p_sort: filter.sort,
      p_view: filter.view,
    }),
  ) as unknown as ProjectPage;
}

/** One project with everything its page shows; null where it is not there or not for this person. */
export async function getProject(db: Db, id: string): Promise<ProjectView | null> {
  const { data, error, status } = await db.rpc('get_project', { p_id: id });
  if (error) throw toAppError(error, status);
  return data as unknown as ProjectView | null;
}

/** What the page of a new project shows, and the 30-day action that led there. */
export async function getProjectStart(
  db: Db,
  businessId: string,
  from: { area: string | null; question: string | null },
): Promise<ProjectStart> {
  return dataOf(
    await db.rpc('project_start', {
      p_business_id: businessId,
      ...(from.area ? { p_area_key: from.area } : {}),
      ...(from.question ? { p_question_key: from.question } : {}),
    }),
  ) as unknown as ProjectStart;
}

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
  const answer = await db.rpc('create_project', {
    p_id: id,
    p_business_id: businessId,
    ...written(input),
  });
  if ((dataOf(answer) as { made: boolean }).made) return;
  const { saved } = await saveProject(db, id, 1, input);
  if (!saved) throw new AppError('conflict', CHANGED_SINCE);
}

const CHANGED_SINCE =
  'This project was stored with your first try, and somebody has changed it since. Open it from the list.';

/**
 * Saves what was edited on top of a revision.
 * @returns with `saved` false somebody else was faster: the project is theirs, nothing was written
 */
export async function saveProject(
  db: Db,
  id: string,
  revision: number,
  input: ProjectInput,
): Promise<{ saved: boolean; project: Project }> {
  return dataOf(
    await db.rpc('save_project', { p_id: id, p_revision: revision, ...written(input) }),
  ) as unknown as { saved: boolean; project: Project };
}

export interface MoveAnswer {
  status: ProjectStatus;
  /** Why the step was not taken, in words. */
  refused: string | null;
  revision: number;
  blocked_reason: string | null;
  moves: ProjectMove[];
}

/** Takes a project a step further. A refused step is an answer; `refused` says why. */
export async function moveProject(
  db: Db,
  id: string,
  to: ProjectStatus,
  note: string,
): Promise<MoveAnswer> {
  return dataOf(
    await db.rpc('move_project', { p_id: id, p_status: to, p_note: note }),
  ) as unknown as MoveAnswer;
}

/** Writes an update under an id from here. Sent twice it stays one. Gives when it was written. */
export async function createProjectUpdate(
  db: Db,
  update: { id: string; projectId: string; body: string },
): Promise<{ at: string }> {
  return dataOf(
    await db.rpc('add_project_update', {
      p_id: update.id,
      p_project_id: update.projectId,
      p_body: update.body,
    }),
  ) as unknown as { at: string };
}

/** What stands before an entry of the history, newest first. */
export async function listProjectHistory(
  db: Db,
  id: string,
  before: { at: string; id: string },
): Promise<HistoryEntry[]> {
  return dataOf(
    await db.rpc('list_project_history', {
      p_id: id,
      p_before: before.at,
      p_before_id: before.id,
    }),
  ) as unknown as HistoryEntry[];
}
