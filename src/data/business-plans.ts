/** The one-page plan of a business, field by field, with earlier versions. */
import * as v from 'valibot';
import { PLAN_FIELDS, type PlanField } from '#domain/plan.ts';
import { AppError } from '#lib/errors.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { businessRole } from './businesses.ts';

/** A field as it is now. One that was never filled in has revision 0. */
export const savedField = v.object({
  field: v.picklist(PLAN_FIELDS),
  value: v.string(),
  /** Counts changes. */
  revision: v.number(),
  /** Null when the account is gone. */
  saved_by: v.nullable(v.string()),
  saved_at: v.string(),
});
export type SavedField = v.InferOutput<typeof savedField>;

export const plan = v.object({
  business_id: v.string(),
  name: v.string(),
  archived: v.boolean(),
  role: businessRole,
  /** Only fields that were ever filled in. */
  fields: v.array(savedField),
});
export type Plan = v.InferOutput<typeof plan>;

export const planVersion = v.object({
  revision: v.number(),
  value: v.string(),
  saved_by: v.nullable(v.string()),
  saved_at: v.string(),
  restored_from: v.nullable(v.number()),
});
export type PlanVersion = v.InferOutput<typeof planVersion>;

/** Throws `not-found` for anyone who isn't allowed to read it. */
export const getPlan = (db: Db, businessId: string) =>
  rpc(db, 'get_plan', plan, { p_business_id: businessId });

/** One field as someone typed it. */
export interface PlanChange {
  business_id: string;
  field: PlanField;
  value: string;
  /** What the page showed when they began. */
  revision: number;
  /** The page, so that it is never in its own way. */
  editor: string;
}

/**
 * Saves one field. Throws `invalid` in words, and `conflict` where someone else wrote something
 * that the sender has not seen; then nothing was saved.
 */
export async function savePlanField(db: Db, change: PlanChange): Promise<void> {
  const answer = await rpc(
    db,
    'save_plan_field',
    v.object({ saved: v.boolean(), field: savedField }),
    {
      p_business_id: change.business_id,
      p_field: change.field,
      p_value: change.value,
      p_base_revision: change.revision,
      p_editor: change.editor,
    },
  );
  if (!answer.saved) throw new AppError('conflict', 'Someone else changed this in the meantime.');
}

/** How many versions one answer has at most. */
export const VERSION_PAGE = 20;

/** The earlier values of a field, newest first; `before` is a revision. */
export const listPlanVersions = (db: Db, businessId: string, field: PlanField, before?: number) =>
  rpc(db, 'list_plan_versions', v.array(planVersion), {
    p_business_id: businessId,
    p_field: field,
    p_limit: VERSION_PAGE,
    ...(before === undefined ? {} : { p_before: before }),
  });

/** Brings an older version back, as a new one. */
export const restorePlanVersion = (
  db: Db,
  place: { businessId: string; field: PlanField; revision: number; editor: string },
) =>
  rpc(db, 'restore_plan_version', savedField, {
    p_business_id: place.businessId,
    p_field: place.field,
    p_revision: place.revision,
    p_editor: place.editor,
  });
