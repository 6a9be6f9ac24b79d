import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, isDatabaseAway, isOutOfSpace, query } from '../connection.ts';

export interface Job {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  /** What isn't kept once the job has ended. */
  secret: Record<string, unknown>;
  /** How often it was tried, this time included. */
  attempts: number;
}

/**
 * With what stays in the row besides the payload, with nothing (the row goes), or without anything
 * to do.
 */
export type Outcome = { keep: Record<string, unknown> } | 'forget' | 'dropped';

export interface JobKind {
  name: string;
  /** The longest that one may take, in ms. */
  timeLimit: number;
  /** After this interval a worker counts as dead, and another one tries. Longer than the time limit. */
  lease: string;
  /** Whether it frees disk space, so that it's done even when little is left. */
  freesSpace?: boolean;
  /**
   * Does it; it may run again when it couldn't be noted as done, so doing it twice must do no harm.
   * @throws {JobError} where it's known why it can't be done; anything else is tried again later.
   */
  run(job: Job, db: Database, signal: AbortSignal): Promise<Outcome>;
}

export class JobError extends Error {
  /**
   * `refused`: this job, for good. `later`: this job, for now. `service`: all jobs of the kind, for
   * now.
   */
  readonly why: 'refused' | 'later' | 'service';

  constructor(message: string, why: JobError['why']) {
    super(message);
    this.why = why;
  }
}

/** A job that fails for a reason that may pass is tried for so long. */
const GIVEN_UP_AFTER = '48 hours';

/** The pause before the next try: as long as it has failed so far, within these. */
const PAUSE = { first: '30 seconds', longest: '1 hour' };

/** No next try is further ahead, and no row is from later than that, unless the clock was put back. */
const LONGEST_WAIT = '75 minutes';

/** The pause before it's tried again to write down that a job was done, in ms. */
const WRITING_PAUSE = 1_000;
/** How often that may fail for another reason than a database that is away or full. */
const WRITING_TRIES = 60;

export interface WorkOptions {
  /** Ends the round and the job that is under way, which is tried again. */
  signal?: AbortSignal;
  log: (line: string) => void;
}

/**
 * Does the jobs of a kind that are due, one after the other. Each is claimed in a statement of its
 * own, so that workers never take the same one, and one that dies holds it up for its lease only.
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
      const { message, why = 'later' } = error as Partial<JobError>;
      log(`Job ${job.id} (${job.kind}) failed on try ${job.attempts}: ${message}`);
      const stopped = await markFailed(db, job, String(message), why);
      if (stopped > 0) log(`${stopped} failed for good. To list them: npm run jobs -- failed`);
      if (why === 'service') return done;
      continue;
    }
    await retryWriting(signal, () => markEnded(db, job, outcome));
    if (outcome !== 'dropped') done += 1;
  }
  return done;
}

/** Tries again for as long as the database is away or full: what was done must not be done once more. */
async function retryWriting(
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

/** The row as this worker took it: another one may have taken it since. */
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
  // Whoever has it now needn't do it again.
  const ended =
    outcome === 'forget'
      ? sql`delete from private.jobs where id = ${job.id}`
      : sql`
        update private.jobs
        set state = 'done', finished_at = clock_timestamp(), last_error = null, failing_since = null,
          awaits_service = false, secret = '{}',
          payload = payload || ${JSON.stringify(outcome.keep)}::jsonb
        where id = ${job.id} and state <> 'done'`;
  // What the others wait for is there again.
  await query(db)`
    with ended as (${ended})
    update private.jobs set awaits_service = false, run_at = now()
    where awaits_service and state = 'waiting' and kind = ${job.kind}`;
}

/** The worker is to end: the job is due again at once, for the next one. */
async function release(db: Database, job: Job): Promise<void> {
  await query(db)`update private.jobs set state = 'waiting', run_at = now() where ${own(job)}`;
}

/**
 * Stops a refused job; puts off others and, where their service is away, all of the kind that are
 * due.
 * @returns how many have stopped.
 */
async function markFailed(
  db: Database,
  job: Job,
  reason: string,
  why: JobError['why'],
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
        run_at = now() + (0.9 + 0.2 * random()) * least(
          now() - least(failing_since, now()) + ${PAUSE.first}::interval, ${PAUSE.longest}::interval
        )
      where ${own(job)}
        or ${isService} and kind = ${job.kind} and state = 'waiting' and run_at <= now()
      returning state
    )
    select count(*) filter (where state = 'failed') as stopped from failed`;
  return Number(rows[0]?.stopped ?? 0);
}
