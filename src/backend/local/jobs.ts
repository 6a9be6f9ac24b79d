import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { type JobKind, runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import { listen } from './postgres/listen.ts';

/** How often the worker looks for due jobs on its own, in ms. */
const BEAT = 30_000;

/** How long closing waits for running jobs, in ms. */
const PATIENCE = 2_000;

interface JobOptions {
  db: Database;
  databaseUrl: string;
  kinds: readonly JobKind[];
  /** Whether jobs of a kind may run now; without it they always may. */
  isReady?: (kind: JobKind) => Promise<boolean>;
  log: (line: string) => void;
}

/**
 * Starts this process's job worker. Besides checking regularly, it wakes when any process queues a
 * job, which it learns through LISTEN.
 */
export async function startJobs(options: JobOptions) {
  const closing = new AbortController();
  const { signal } = closing;
  const lanes = new Map(
    options.kinds.map((kind) => [kind.name, createLane(kind, { ...options, signal })]),
  );
  const wake = () => {
    for (const lane of lanes.values()) lane.wake();
  };
  const listener = await listen(options.databaseUrl, {
    name: 'trellis-jobs',
    channel: 'jobs',
    onNotification: wake,
    onReconnect: wake,
  });
  const beat = setInterval(wake, BEAT).unref();
  wake();
  return {
    /** Runs the due jobs of a kind and returns how many, once no job of that kind is running. */
    runDue: async (kind: string) => (await lanes.get(kind)?.runDue()) ?? 0,
    /** Makes the worker look for due jobs now. */
    wake,
    /** Aborts running jobs, which the next worker retries. */
    async close() {
      clearInterval(beat);
      closing.abort();
      const running = [...lanes.values()].map((lane) => lane.running());
      await Promise.race([
        Promise.all([listener.close(), ...running]),
        wait(PATIENCE, undefined, { ref: false }),
      ]);
    },
  };
}

function createLane(
  kind: JobKind,
  { db, isReady, signal, log }: JobOptions & { signal: AbortSignal },
) {
  const runDue = async () =>
    !isReady || (await isReady(kind)) ? runDueJobs(db, kind, { signal, log }) : 0;
  let again = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    do {
      again = false;
      await runDue().catch((error: Error) => {
        if (!signal.aborted) log(`Jobs (${kind.name}) will be tried again: ${error.message}`);
      });
    } while (again && !signal.aborted);
  }

  return {
    running: () => running,
    wake() {
      if (signal.aborted) return;
      again = true;
      running ??= run().finally(() => {
        running = null;
      });
    },
    async runDue(): Promise<number> {
      const done = await runDue();
      // An earlier run may have claimed a job that isn't done yet.
      await running;
      return done;
    },
  };
}
