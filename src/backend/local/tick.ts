import { connect, query } from '#backend/supabase/functions/_shared/connection.ts';
import type { Room } from './postgres/disk-space.ts';

/** Statement timeout, in ms. */
const LONGEST = 5 * 60_000;

/** How often the schedule is checked, in ms. */
const BEAT = 60_000;

/**
 * Calls `private.tick()` now and every minute, as pg_cron does on Supabase, and `afterwards` after
 * it. Several processes can do this at once. While the disk is full, it does nothing.
 */
export function startTick(options: {
  databaseUrl: string;
  room: () => Promise<Room>;
  afterwards: () => Promise<unknown>;
  log: (line: string) => void;
}): { stop(): Promise<void> } {
  const { databaseUrl, room, afterwards, log } = options;
  const db = connect(databaseUrl, { max: 1, name: 'trellis-tick', statementTimeout: LONGEST });

  let stopped = false;
  async function run(): Promise<void> {
    try {
      if ((await room()) === 'none') return;
      await query(db)`select private.tick()`;
      // Supabase deletes channel messages after three days too.
      await query(db)`
        delete from realtime.messages where inserted_at < now() - interval '3 days'`;
      await afterwards();
    } catch (error) {
      if (!stopped) log(`The schedule failed: ${(error as Error).message}`);
    }
  }

  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, BEAT);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      await db.destroy();
    },
  };
}
