/** Project tasks. Functions throw an AppError; those that change a task return its new state. */
import * as v from 'valibot';
import type { TaskState } from '#domain/project.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { projectTask } from './projects.ts';

/** The next 100 tasks after a given one. */
export const listProjectTasks = (db: Db, projectId: string, after: string) =>
  rpc(db, 'list_project_tasks', v.array(projectTask), {
    p_project_id: projectId,
    p_after: after,
  });

/** Adds a task at the end. The caller generates its id, which makes this idempotent. */
export const createProjectTask = (
  db: Db,
  projectId: string,
  task: { id: string; title: string; dueOn: string },
) =>
  rpc(db, 'add_project_task', projectTask, {
    p_id: task.id,
    p_project_id: projectId,
    p_title: task.title,
    ...(task.dueOn ? { p_due_on: task.dueOn } : {}),
  });

/** Edits a task based on a revision; `saved` is false if someone else was faster. */
export const saveProjectTask = (
  db: Db,
  task: { id: string; revision: number; title: string; dueOn: string },
) =>
  rpc(db, 'save_project_task', v.object({ saved: v.boolean(), task: projectTask }), {
    p_id: task.id,
    p_revision: task.revision,
    p_title: task.title,
    ...(task.dueOn ? { p_due_on: task.dueOn } : {}),
  });

/** Sets the state of a task; `reason` is what blocks it. */
export const setTaskState = (db: Db, id: string, state: TaskState, reason: string) =>
  rpc(db, 'set_project_task_state', projectTask, {
    p_id: id,
    p_state: state,
    ...(reason ? { p_reason: reason } : {}),
  });

/** Moves a task after another, or with null to the top. Throws `conflict` if the other is gone. */
export const moveTask = (db: Db, id: string, after: string | null) =>
  rpc(db, 'move_project_task', projectTask, {
    p_id: id,
    ...(after ? { p_after: after } : {}),
  });

/** Removes a task, or with `false` restores it to its position. */
export const removeProjectTask = (db: Db, id: string, removed: boolean) =>
  rpc(db, 'remove_project_task', ignored, { p_id: id, p_removed: removed });
