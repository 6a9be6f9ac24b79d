import { connect, query } from '#backend/supabase/functions/_shared/connection.ts';
import type { Room } from './postgres/disk-space.ts';

/** A timer that can be stopped; `stop` waits for the beat under way. */
export interface Tick {
  stop(): Promise<void>;
}

/** Longest time that a job may take, in milliseconds. */
const LONGEST = 5 * 60_000;

/** How often the schedule is looked at, in milliseconds; pg_cron's every minute on Supabase. */
const beat = 60_000;

/**
 * Calls `private.tick()` now and every minute, as pg_cron does on Supabase, and after it whatever
 * else is due. Any number of processes may do so: each job is taken by one of them. A beat that
 * fails is told to the log, and the next one comes all the same.
 */
export function startTick(options: {
  databaseUrl: string;
  /**
   * The room on the disk. The schedule goes on with little of it, because what it removes is what makes
   * room; with none, the next beat comes back to it.
   */
  room: () => Promise<Room>;
  afterwards: () => Promise<unknown>;
  log: (line: string) => void;
}): Tick {
  const { databaseUrl, room, afterwards, log } = options;
  const db = connect(databaseUrl, { max: 1, name: 'trellis-tick', statementTimeout: LONGEST });

  let stopped = false;
  async function run(): Promise<void> {
    try {
      if ((await room()) === 'none') return;
      await query(db)`select private.tick()`;
      // Supabase keeps what channels were told for three days.
      await query(db)`
        delete from realtime.messages where inserted_at < now() - interval '3 days'`;
      await afterwards();
    } catch (error) {
      if (!stopped) log(`The schedule's tick failed: ${(error as Error).message}`);
    }
  }

  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, beat);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      await db.destroy();
    },
  };
}
