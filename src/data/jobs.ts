/** Background jobs, for admins. */
import * as v from 'valibot';
import { JOB_STATES, type JobFilter, jobFilter } from '#domain/job.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

export const listedJob = listedRow({
  /** `mail`, `remove_file` or the name of a scheduled job. */
  kind: v.string(),
  state: v.picklist(JOB_STATES),
  /** An email's recipient and template; a file's path. */
  to: v.nullable(v.string()),
  template: v.nullable(v.string()),
  path: v.nullable(v.string()),
  attempts: v.number(),
  /** Why it failed, or the last run of a scheduled one. */
  error: v.nullable(v.string()),
  created_at: v.string(),
  /** When it's due or was. */
  run_at: v.string(),
  /** When it ended, or a scheduled one last ran. */
  finished_at: v.nullable(v.string()),
});
export type ListedJob = v.InferOutput<typeof listedJob>;

/** A page of jobs. Throws an AppError. */
export const listJobs = (db: Db, filter: JobFilter, limit?: number) =>
  readAdminList(db, 'admin_jobs', listedJob, filter, limit);

/** How many jobs failed, emails and regular work included. Throws an AppError. */
export async function getFailedJobCount(db: Db): Promise<number> {
  const none = jobFilter.read(new URLSearchParams());
  const { count } = await listJobs(db, { ...none, state: 'failed' }, 0);
  return count?.total ?? 0;
}

/** Lets a failed job run again, or all of them. Returns how many. Throws an AppError. */
export async function replayJobs(db: Db, id: string | null): Promise<number> {
  const { replayed } = await rpc(
    db,
    'replay_jobs',
    v.object({ replayed: v.number() }),
    id ? { p_id: id } : {},
  );
  return replayed;
}
