/** Tasks of a project. Each command gives the task as it stands then, and throws an AppError. */
import type { TaskState } from '#domain/project.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { ProjectTask } from './projects.ts';

/** The next hundred tasks behind one. */
export async function listProjectTasks(
  db: Db,
  projectId: string,
  after: string,
): Promise<ProjectTask[]> {
  return dataOf(
    await db.rpc('list_project_tasks', { p_project_id: projectId, p_after: after }),
  ) as unknown as ProjectTask[];
}

/** Adds a task at the end, under an id from here. Sent twice it stays one. */
export async function createProjectTask(
  db: Db,
  projectId: string,
  task: { id: string; title: string; dueOn: string },
): Promise<ProjectTask> {
  return dataOf(
    await db.rpc('add_project_task', {
      p_id: task.id,
      p_project_id: projectId,
      p_title: task.title,
      ...(task.dueOn ? { p_due_on: task.dueOn } : {}),
    }),
  ) as unknown as ProjectTask;
}

/** Changes what a task says on top of a revision; with `saved` false somebody else was faster. */
export async function saveProjectTask(
  db: Db,
  task: { id: string; revision: number; title: string; dueOn: string },
): Promise<{ saved: boolean; task: ProjectTask }> {
  return dataOf(
    await db.rpc('save_project_task', {
      p_id: task.id,
      p_revision: task.revision,
      p_title: task.title,
      ...(task.dueOn ? { p_due_on: task.dueOn } : {}),
    }),
  ) as unknown as { saved: boolean; task: ProjectTask };
}

/** Says how a task stands; `reason` is what blocks it. */
export async function setTaskState(
  db: Db,
  id: string,
  state: TaskState,
  reason: string,
): Promise<ProjectTask> {
  return dataOf(
    await db.rpc('set_project_task_state', {
      p_id: id,
      p_state: state,
      ...(reason ? { p_reason: reason } : {}),
    }),
  ) as unknown as ProjectTask;
}

/** Puts a task behind another one, or first. Throws `conflict` when that one is gone. */
export async function moveTask(db: Db, id: string, after: string | null): Promise<ProjectTask> {
  return dataOf(
    await db.rpc('move_project_task', { p_id: id, ...(after ? { p_after: after } : {}) }),
  ) as unknown as ProjectTask;
}

/** Takes a task away, or brings it back to its place. */
export async function removeProjectTask(db: Db, id: string, removed: boolean): Promise<void> {
  const { error, status } = await db.rpc('remove_project_task', { p_id: id, p_removed: removed });
  if (error) throw toAppError(error, status);
}
