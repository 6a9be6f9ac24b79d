/** Projects mirrored in Wrike, for admins. */
import * as v from 'valibot';
import { PROJECT_STATUSES } from '#domain/project.ts';
import {
  type FolderFilter,
  MIRROR_STATES,
  MIRROR_WANTS,
  type MirrorFilter,
  type MirrorStep,
  type WrikeStep,
} from '#domain/wrike.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

const wrikeOverview = v.object({
  /** What was seen of Wrike; null before anybody had it checked. */
  connection: v.nullable(
    v.object({
      checked_at: v.string(),
      /** A sentence; null if everything's fine. */
      problem: v.nullable(v.string()),
      /** The host that was asked, which belongs to a data center; null without a token. */
      host: v.nullable(v.string()),
      account: v.nullable(v.object({ id: v.string(), name: v.string() })),
    }),
  ),
  /** Whether Wrike's folders are being listed, and when they last were. */
  is_listing: v.boolean(),
  listed_at: v.nullable(v.string()),
  /** What each status of a project is in Wrike, as its API calls it. */
  statuses: v.array(v.object({ status: v.picklist(PROJECT_STATUSES), wrike: v.string() })),
  mirrors: v.array(
    v.object({
      wants: v.picklist(MIRROR_WANTS),
      state: v.picklist(MIRROR_STATES),
      count: v.number(),
    }),
  ),
  /** The job that does the work, if there's something to do. */
  job: v.nullable(
    v.object({
      state: v.picklist(['waiting', 'running', 'failed']),
      error: v.nullable(v.string()),
      run_at: v.string(),
    }),
  ),
});
export type WrikeOverview = v.InferOutput<typeof wrikeOverview>;

export const wrikeFolder = listedRow({
  title: v.string(),
  kind: v.picklist(['space', 'folder']),
  /** The names of what it's in: "Coaching / Clients". */
  path: v.string(),
  depth: v.number(),
});
export type WrikeFolder = v.InferOutput<typeof wrikeFolder>;

export const wrikeMirror = listedRow({
  is_test: v.boolean(),
  folder: v.string(),
  wants: v.picklist(MIRROR_WANTS),
  state: v.picklist(MIRROR_STATES),
  /** Why Wrike refused it. */
  reason: v.nullable(v.string()),
  /** Whether that's because it isn't in Wrike anymore. */
  is_gone: v.boolean(),
  /** Where it's opened in Wrike. */
  permalink: v.nullable(v.string()),
  sent_at: v.nullable(v.string()),
  created_at: v.string(),
  /** Null for a test project, and for one that was erased. */
  project: v.nullable(
    v.object({
      id: v.string(),
      title: v.string(),
      status: v.picklist(PROJECT_STATUSES),
      business: v.object({ id: v.string(), name: v.string() }),
    }),
  ),
  /** How many of its tasks are in Wrike. */
  tasks: v.number(),
});
export type WrikeMirror = v.InferOutput<typeof wrikeMirror>;

/** How far Wrike is. Throws an AppError. */
export const getWrike = (db: Db) => rpc(db, 'admin_wrike', wrikeOverview);

/** A page of Wrike's folders, in the order of their tree. Throws an AppError. */
export const listWrikeFolders = (db: Db, filter: FolderFilter, limit?: number) =>
  readAdminList(db, 'admin_wrike_folders', wrikeFolder, filter, limit);

/** A page of mirrored projects. Throws an AppError. */
export const listWrikeMirrors = (db: Db, filter: MirrorFilter, limit?: number) =>
  readAdminList(db, 'admin_wrike_mirrors', wrikeMirror, filter, limit);

/** Has the connection checked, or the folders listed. Throws an AppError. */
export const runWrike = (db: Db, step: WrikeStep) =>
  rpc(db, 'run_wrike', wrikeOverview, { p_step: step });

/**
 * Mirrors a project in a folder or, without one, has a test project created there.
 * @param id of the mirror; the first call with it counts
 * @throws AppError
 */
export const mirrorInWrike = (db: Db, id: string, folderId: string, projectId: string | null) =>
  rpc(db, 'mirror_in_wrike', wrikeOverview, {
    ...{ p_id: id, p_folder_id: folderId },
    ...(projectId !== null && { p_project_id: projectId }),
  });

/** Stops or continues sending a project's changes, deletes it there, or tries it again. Throws an AppError. */
export const changeWrikeMirror = (db: Db, id: string, step: MirrorStep) =>
  rpc(db, 'change_wrike_mirror', wrikeOverview, { p_id: id, p_step: step });
