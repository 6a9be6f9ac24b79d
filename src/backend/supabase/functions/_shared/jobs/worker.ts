import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, isDatabaseAway, isOutOfSpace, query } from '../connection.ts';

export interface Job {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  /** Deleted once the job has ended. */
  secret: Record<string, unknown>;
  /** How many times it's been tried, including this time. */
  attempts: number;
}

/**
 * `keep`: it's done, and this is added to the row's payload. `forget`: it's done, and the row is
 * deleted. `dropped`: there was nothing to do. `again`: part of it is done, and it's due again after
 * this many seconds.
 */
export type Outcome = { keep: Record<string, unknown> } | { again: number } | 'forget' | 'dropped';

export interface JobKind {
  name: string;
  /** Timeout of one job, in ms. */
  timeLimit: number;
  /** After this interval, another worker takes over the job; it must be longer than a job takes. */
  lease: string;
  /** Whether it frees disk space, so that it runs even when the disk is nearly full. */
  freesSpace?: boolean;
  /**
   * Runs the job. It may run again if recording the result failed, so it must be idempotent.
   * @throws {JobError} if the reason for a failure is known; after any other error it's retried.
   */
  run(job: Job, db: Database, signal: AbortSignal): Promise<Outcome>;
}

export class JobError extends Error {
  /**
   * `refused`: this job fails for good. `later`: this job is retried. `service`: the service is
   * unavailable, so all jobs of this kind wait.
   */
  readonly why: 'refused' | 'later' | 'service';
  /** The shortest wait before it's tried again, in s, if the service named one. */
  readonly after: number;

  constructor(message: string, why: JobError['why'], after = 0) {
    super(message);
    this.why = why;
    this.after = after;
  }
}

/** How long a job that fails temporarily is retried. */
const GIVEN_UP_AFTER = '48 hours';

/** The pause before the next attempt: as long as the job has been failing, within these limits. */
const PAUSE = { first: '30 seconds', longest: '1 hour' };

/** A retry or a creation time further ahead than this means that the clock was set back. */
const LONGEST_WAIT = '75 minutes';

/** The pause before another attempt to record that a job is done, in ms. */
const WRITING_PAUSE = 1_000;
/** How many times that may fail for a reason other than an unavailable or full database. */
const WRITING_TRIES = 60;

export interface WorkOptions {
  /** Aborts the round and the current job, which is retried later. */
  signal?: AbortSignal;
  log: (line: string) => void;
}

/**
 * Runs the due jobs of a kind, one after another. Each is claimed in its own statement, so two
 * workers never take the same one, and if a worker dies, its job is delayed only by the lease.
 * @returns how many were done.
 */
export async function runDueJobs(
  db: Database,
  kind: JobKind,
  { signal, log }: WorkOptions,
): Promise<number> {
  let done = 0;
  while (!signal?.aborted) {
    const job = await claim(db, kind);
    if (!job) return done;
    if (job.expired) {
      await markEnded(db, job, 'dropped');
      continue;
    }
    let outcome: Outcome;
    try {
      const limit = AbortSignal.timeout(kind.timeLimit);
      outcome = await kind.run(job, db, signal ? AbortSignal.any([signal, limit]) : limit);
    } catch (error) {
      if (signal?.aborted) {
        await release(db, job);
        return done;
      }
      const { message, why = 'later', after = 0 } = error as Partial<JobError>;
      log(`Job ${job.id} (${job.kind}) failed on try ${job.attempts}: ${message}`);
      const stopped = await markFailed(db, job, String(message), why, after);
      if (stopped > 0) log(`${stopped} failed for good. To list them, run: npm run jobs -- failed`);
      if (why === 'service') return done;
      continue;
    }
    await retryWriting(signal, () => markEnded(db, job, outcome));
    if (typeof outcome === 'string' ? outcome === 'forget' : 'keep' in outcome) done += 1;
  }
  return done;
}

/** Retries while the database is unavailable or full: what was done must not be done again. */
export async function retryWriting(
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  for (let left = WRITING_TRIES; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) && !isOutOfSpace(error)) left -= 1;
      if (left === 0 || signal?.aborted) throw error;
      await wait(WRITING_PAUSE, undefined, { signal }).catch(() => {});
    }
  }
}

async function claim(
  db: Database,
  { name, lease }: JobKind,
): Promise<(Job & { expired: boolean }) | null> {
  const rows = await query<Job & { expired: boolean }>(db)`
    update private.jobs
    set state = 'running', attempts = attempts + 1, run_at = now() + ${lease}::interval
    where id = (
      select id from private.jobs
      where kind = ${name} and state in ('waiting', 'running') and every is null
        and (run_at <= now() or run_at > now() + ${LONGEST_WAIT}::interval and (
          state = 'running' or failing_since is not null
          or created_at > now() + ${LONGEST_WAIT}::interval
        ))
      order by run_at, created_at
      limit 1
      for update skip locked
    )
    returning id, kind, payload, secret, attempts, coalesce(expires_at <= now(), false) as expired`;
  return rows[0] ?? null;
}

/** Matches the row only if no other worker has claimed it since this one did. */
const own = (job: Job) => sql`id = ${job.id} and state = 'running' and attempts = ${job.attempts}`;

async function markEnded(db: Database, job: Job, outcome: Outcome): Promise<void> {
  if (outcome === 'dropped') {
    await query(db)`
      update private.jobs
      set state = 'dropped', finished_at = clock_timestamp(), last_error = null,
        awaits_service = false, secret = '{}'
      where ${own(job)}`;
    return;
  }
  if (typeof outcome === 'object' && 'again' in outcome) {
    await query(db)`
      update private.jobs
      set state = 'waiting', run_at = clock_timestamp() + make_interval(secs => ${outcome.again}),
        attempts = 0, last_error = null, failing_since = null, awaits_service = false
      where ${own(job)}`;
    return;
  }
  // Even if another worker has claimed it by now: it doesn't need to run again.
  const ended =
    outcome === 'forget'
      ? sql`delete from private.jobs where id = ${job.id}`
      : sql`
        update private.jobs
        set state = 'done', finished_at = clock_timestamp(), last_error = null, failing_since = null,
          awaits_service = false, secret = '{}',
          payload = payload || ${JSON.stringify(outcome.keep)}::jsonb
        where id = ${job.id} and state <> 'done'`;
  // The service that other jobs of this kind are waiting for is back.
  await query(db)`
    with ended as (${ended})
    update private.jobs set awaits_service = false, run_at = now()
    where awaits_service and state = 'waiting' and kind = ${job.kind}`;
}

/** Makes the job due again right away for the next worker, because this one is stopping. */
async function release(db: Database, job: Job): Promise<void> {
  await query(db)`update private.jobs set state = 'waiting', run_at = now() where ${own(job)}`;
}

/**
 * Stops a job that's refused or has failed for too long, and postpones any other; if its service is
 * unavailable, every due job of its kind too.
 * @returns how many were stopped.
 */
async function markFailed(
  db: Database,
  job: Job,
  reason: string,
  why: JobError['why'],
  after: number,
): Promise<number> {
  const isService = why === 'service';
  const rows = await query<{ stopped: string }>(db)`
    with failed as (
      update private.jobs
      set last_error = ${reason.slice(0, 500)}, awaits_service = ${isService},
        failing_since = least(failing_since, now()),
        state = case
          when ${why === 'refused'} or failing_since <= now() - ${GIVEN_UP_AFTER}::interval
          then 'failed' else 'waiting'
        end,
        run_at = now() + greatest(make_interval(secs => ${after}), (0.9 + 0.2 * random()) * least(
          now() - least(failing_since, now()) + ${PAUSE.first}::interval, ${PAUSE.longest}::interval
        ))
      where ${own(job)}
        or ${isService} and kind = ${job.kind} and state = 'waiting' and run_at <= now()
      returning state
    )
    select count(*) filter (where state = 'failed') as stopped from failed`;
  return Number(rows[0]?.stopped ?? 0);
}
