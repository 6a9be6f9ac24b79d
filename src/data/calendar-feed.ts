/** A person's private calendar feed: sessions and due dates, at an address that can be removed. */
import * as v from 'valibot';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** Creates the feed, or replaces its address. The path is never shown again. */
export const createCalendarFeed = (db: Db): Promise<{ path: string }> =>
  rpc(db, 'make_calendar_feed', v.object({ path: v.string() }));

/** Removes the feed: its address stops working. */
export const removeCalendarFeed = (db: Db): Promise<void> =>
  rpc(db, 'remove_calendar_feed', ignored);
