/** The one-page plan of a business, field by field, with earlier versions. */
import * as v from 'valibot';
import { PLAN_FIELDS, type PlanField, planProblem } from '#domain/plan.ts';
import { AppError } from '#lib/errors.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { businessClient, businessRole } from './business-roles.ts';

/** A field's current state. A field that was never filled in has revision 0. */
export const savedField = v.object({
  field: v.picklist(PLAN_FIELDS),
  value: v.string(),
  /** Increases with every change. */
  revision: v.number(),
  /** Null if the account was deleted. */
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
  /** Null for everyone but the coach. */
  client: businessClient,
});
export type Plan = v.InferOutput<typeof plan>;

export const planVersion = v.object({
  revision: v.number(),
  value: v.string(),
  saved_by: v.nullable(v.string()),
  saved_at: v.string(),
  restored_from: v.nullable(v.number()),
});

/** Throws `not-found` if the user can't read it. */
export const getPlan = (db: Db, businessId: string) =>
  rpc(db, 'get_plan', plan, { p_business_id: businessId });

/** An edit of one field. */
export interface PlanChange {
  business_id: string;
  field: PlanField;
  value: string;
  /** The revision on the page when the user started typing. */
  revision: number;
  /** Identifies the page, so that its own earlier saves aren't conflicts. */
  editor: string;
}

/**
 * Saves one field. Throws `invalid` with a readable reason, and `conflict`, saving nothing, if
 * someone else saved text that the user hasn't seen.
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

/**
 * Saves a change as it was queued, if it fits on the page. Throws like `savePlanField`.
 * @param key `<business>/<field>`
 */
export async function savePlanChange(
  db: Db,
  key: string,
  { value, base }: { value: string; base: Pick<PlanChange, 'revision' | 'editor'> },
): Promise<void> {
  const [business_id = '', name] = key.split('/');
  const field = PLAN_FIELDS.find((each) => each === name);
  const problem = planProblem(value);
  if (!field || problem !== null) throw new AppError('invalid', problem ?? undefined);
  await savePlanField(db, { business_id, field, value, ...base });
}

/** Versions per response, at most. */
export const VERSION_PAGE = 20;

/** A page of a field's earlier values, newest first; `before` is a revision. */
export const listPlanVersions = (db: Db, businessId: string, field: PlanField, before?: number) =>
  rpc(db, 'list_plan_versions', v.array(planVersion), {
    p_business_id: businessId,
    p_field: field,
    p_limit: VERSION_PAGE,
    ...(before === undefined ? {} : { p_before: before }),
  });

/** Restores an older version as a new one. */
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
