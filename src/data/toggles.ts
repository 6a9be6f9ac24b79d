/** Feature toggles: those that are on for the caller, and for admins, all of them. */
import * as v from 'valibot';
import { AUDIENCES, type Audience, type ToggleFilter } from '#domain/admin-toggles.ts';
import { ROLES } from '#domain/person.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

/**
 * The toggles that are on for a visitor; the session has those of people who are signed in.
 * @returns null if they can't be read, so that the defaults hold
 */
export const visitorToggles = (db: Db): Promise<string[] | null> =>
  rpc(db, 'toggles_on', v.array(v.string())).catch(() => null);

export const listedToggle = listedRow({
  description: v.string(),
  audience: v.picklist(AUDIENCES),
  /** Empty unless the audience is `roles`. */
  roles: v.array(v.picklist(ROLES)),
  /** 1 to 99 if the audience is `percentage`, otherwise null. */
  percentage: v.nullable(v.number()),
  /** The date from which somebody should look at it again. */
  expires_on: v.nullable(v.string()),
  owner: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** The latest change; null if nobody has changed it. */
  change: v.nullable(v.object({ at: v.string(), reason: v.string(), by: v.nullable(v.string()) })),
});
/** Its id is the toggle's key. */
export type ListedToggle = v.InferOutput<typeof listedToggle>;

/** A page of toggles. Throws an AppError. */
export const listToggles = (db: Db, filter: ToggleFilter, limit?: number) =>
  readAdminList(db, 'admin_toggles', listedToggle, filter, limit);

export interface ToggleChange {
  audience: Audience;
  roles: string[];
  percentage: number | null;
  expiresOn: string | null;
  ownerId: string | null;
  reason: string;
}

/** Changes who a toggle is on for. Throws an AppError. */
export const setToggle = (db: Db, key: string, change: ToggleChange) =>
  rpc(db, 'set_toggle', ignored, {
    p_key: key,
    p_audience: change.audience,
    p_roles: change.roles,
    // The generated types don't know that arguments can be null.
    p_percentage: change.percentage as number,
    p_expires_on: change.expiresOn as string,
    p_owner_id: change.ownerId as string,
    p_reason: change.reason,
  });
