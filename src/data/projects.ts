/** Projects: one with everything its page shows, and the changes people make. */
import * as v from 'valibot';
import { PROJECT_STATUSES, type ProjectStatus, TASK_STATES } from '#domain/project.ts';
import { AppError } from '#lib/errors.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** `edit`: member. `share`: the coach, who edits outcome, baseline and dates. `admin`: audited. */
export const projectRight = v.picklist(['edit', 'share', 'admin']);
export type ProjectRight = v.InferOutput<typeof projectRight>;

export const area = v.object({ key: v.string(), name: v.string() });
export type Area = v.InferOutput<typeof area>;

/** A status the project can move to now; `note` means that the move requires a reason. */
export const projectMove = v.object({ to: v.picklist(PROJECT_STATUSES), note: v.boolean() });
export type ProjectMove = v.InferOutput<typeof projectMove>;

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
  /** Increases with every edit. */
  revision: v.number(),
  task_count: v.number(),
  done_count: v.number(),
  created_at: v.string(),
  updated_at: v.string(),
  /** Who saved it last; null if the account was deleted. */
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

/** An update about a project, its creation, or a change of status. */
export const historyEntry = v.object({
  id: v.string(),
  kind: v.picklist(['update', 'created', 'moved']),
  at: v.string(),
  from: v.nullable(v.picklist(PROJECT_STATUSES)),
  to: v.nullable(v.picklist(PROJECT_STATUSES)),
  /** The update's text, or the note on a status change. */
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
  /** Whether the business is archived, which makes everything read-only. */
  archived: v.boolean(),
  right: projectRight,
  /** Whether there's someone to message about it. */
  may_write: v.boolean(),
  /** Whether it's mirrored in Wrike, whether changes are sent, and since when; null if it isn't. */
  wrike: v.nullable(v.object({ is_followed: v.boolean(), since: v.string() })),
  moves: v.array(projectMove),
  /** The first 100. */
  tasks: v.array(projectTask),
  /** The latest 30, newest first. */
  history: v.array(historyEntry),
  files: v.array(projectFile),
});
export type ProjectView = v.InferOutput<typeof projectView>;

/** The choices for a new project, and the 30-day action it starts from, if any. */
export const projectStart = v.object({
  ...projectChoices.entries,
  from: v.nullable(
    v.object({
      area_key: v.string(),
      practice: v.string(),
      action: v.string(),
      /** What the practice looks like when it's done regularly and in writing. */
      goal: v.string(),
      /** The area's latest score, 0 to 100. */
      score: v.nullable(v.object({ score: v.number(), on: v.string() })),
    }),
  ),
});
export type ProjectStart = v.InferOutput<typeof projectStart>;

/** A project's form fields; dates as `2026-11-28`, '' for none. */
export interface ProjectInput {
  title: string;
  areaKey: string;
  outcome: string;
  baseline: string;
  startOn: string;
  dueOn: string;
  engagementId: string;
}

/** Tasks and history entries per response. */
export const TASK_PAGE = 100;
export const HISTORY_PAGE = 30;

/** A project with everything its page shows; null if it doesn't exist or the user can't read it. */
export const getProject = (db: Db, id: string) =>
  rpc(db, 'get_project', v.nullable(projectView), { p_id: id });

/** The data for the new-project page. `from` names the 30-day action it starts from. */
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
 * Creates a draft, idempotent by id. If the response to an earlier try was lost, this saves the
 * latest input over it. Throws `invalid` with the field, `conflict` if someone changed it since.
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
 * Saves edits based on a revision.
 * @returns if `saved` is false, someone else was faster: nothing was saved, and `project` is theirs
 */
export const saveProject = (db: Db, id: string, revision: number, input: ProjectInput) =>
  rpc(db, 'save_project', v.object({ saved: v.boolean(), project: project }), {
    p_id: id,
    p_revision: revision,
    ...written(input),
  });

export const moveAnswer = v.object({
  status: v.picklist(PROJECT_STATUSES),
  /** Why the move was rejected, as a sentence; null if it wasn't. */
  refused: v.nullable(v.string()),
  revision: v.number(),
  blocked_reason: v.nullable(v.string()),
  moves: v.array(projectMove),
});
export type MoveAnswer = v.InferOutput<typeof moveAnswer>;

/** Moves a project to another status. A rejected move doesn't throw; `refused` says why. */
export const moveProject = (db: Db, id: string, to: ProjectStatus, note: string) =>
  rpc(db, 'move_project', moveAnswer, { p_id: id, p_status: to, p_note: note });

/** Posts an update, idempotent by id. Returns when it was posted. */
export const createProjectUpdate = (
  db: Db,
  update: { id: string; projectId: string; body: string },
) =>
  rpc(db, 'add_project_update', v.object({ id: v.string(), at: v.string() }), {
    p_id: update.id,
    p_project_id: update.projectId,
    p_body: update.body,
  });

/** The history entries before a given one, newest first. */
export const listProjectHistory = (db: Db, id: string, before: { at: string; id: string }) =>
  rpc(db, 'list_project_history', v.array(historyEntry), {
    p_id: id,
    p_before: before.at,
    p_before_id: before.id,
  });
