/** Figures for admins. */
import * as v from 'valibot';
import type { OverviewFilter } from '#domain/overview.ts';
import { FIGURES, TASKS } from '#domain/overview.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

const figure = v.object({
  total: v.number(),
  /** New ones in each of the last 12 weeks, oldest first. */
  weeks: v.array(v.number()),
});

export const adminOverview = v.object({
  /** How many of each wait. */
  tasks: v.object(
    v.entriesFromList(
      TASKS.map(({ name }) => name),
      v.number(),
    ),
  ),
  figures: v.object(
    v.entriesFromList(
      FIGURES.map(({ name }) => name),
      figure,
    ),
  ),
  views: v.object({
    /** Days in UTC, oldest first: `2026-11-24`. */
    days: v.array(v.object({ day: v.string(), views: v.number() })),
    /** The 20 most read. */
    routes: v.array(v.object({ route: v.string(), views: v.number() })),
    total: v.number(),
  }),
});
export type AdminOverview = v.InferOutput<typeof adminOverview>;

/** Live counts from the database. Throws `denied` for everyone but admins. */
export const getAdminOverview = (db: Db, { days, route }: OverviewFilter): Promise<AdminOverview> =>
  rpc(db, 'admin_overview', adminOverview, {
    p_days: Number(days),
    ...(route ? { p_route: route } : {}),
  });
