/** All projects, for admins. Each read and each change is recorded in the audit log. */
import * as v from 'valibot';
import type { AllProjectsFilter } from '#domain/admin-projects.ts';
import { PROJECT_STATUSES } from '#domain/project.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

export const listedAnyProject = listedRow({
  title: v.string(),
  status: v.picklist(PROJECT_STATUSES),
  /** A date: `2026-11-28`. */
  due_on: v.nullable(v.string()),
  created_at: v.string(),
  updated_at: v.string(),
  task_count: v.number(),
  done_count: v.number(),
  business: v.object({ id: v.string(), name: v.string(), archived: v.boolean() }),
  /** The coach of its business now. */
  coach: v.nullable(v.string()),
});
export type ListedAnyProject = v.InferOutput<typeof listedAnyProject>;

/** A page of all projects, with the coaches to choose from. */
export const listAllProjects = (db: Db, filter: AllProjectsFilter, limit?: number) =>
  readAdminList(db, 'admin_projects', listedAnyProject, filter, limit);

/** A project's due date, `2026-11-28`; null for none. */
const dueDate = v.object({ id: v.string(), due_on: v.nullable(v.string()) });
export type DueDate = v.InferOutput<typeof dueDate>;

/**
 * Sets the due dates of up to 200 projects. Throws an AppError.
 * @returns the earlier ones of those that changed; setting these undoes it
 */
export const setDueDates = async (db: Db, dates: readonly DueDate[]): Promise<DueDate[]> =>
  (
    await rpc(db, 'set_due_dates', v.object({ before: v.array(dueDate) }), {
      p_changes: [...dates],
    })
  ).before;
