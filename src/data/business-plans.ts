/** The one-page plan of a business, field by field, and what stood there before. */
import type { PlanField } from '#domain/plan.ts';
import { AppError, dataOf } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { BusinessRole } from './businesses.ts';

/** A field as it stands. One that was never filled in has revision 0. */
export interface SavedField {
  field: PlanField;
  value: string;
  /** Counts changes. */
  revision: number;
  /** Null when the account is gone. */
  saved_by: string | null;
  saved_at: string;
}

export interface Plan {
  business_id: string;
  name: string;
  archived: boolean;
  role: BusinessRole;
  /** Only fields that were ever filled in. */
  fields: SavedField[];
}

export interface PlanVersion {
  revision: number;
  value: string;
  saved_by: string | null;
  saved_at: string;
  restored_from: number | null;
}

/** Throws `not-found` for whoever may not read it. */
export async function getPlan(db: Db, businessId: string): Promise<Plan> {
  return dataOf(await db.rpc('get_plan', { p_business_id: businessId })) as unknown as Plan;
}

/** One field as somebody typed it. */
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
 * Saves one field. Throws `invalid` in words, and `conflict` where somebody else wrote something
 * that the sender has not seen; then nothing was saved.
 */
export async function savePlanField(db: Db, change: PlanChange): Promise<void> {
  const answer = dataOf(
    await db.rpc('save_plan_field', {
      p_business_id: change.business_id,
      p_field: change.field,
      p_value: change.value,
      p_base_revision: change.revision,
      p_editor: change.editor,
    }),
  ) as { saved: boolean };
  if (!answer.saved) throw new AppError('conflict', 'Somebody else has changed this meanwhile.');
}

/** How many versions one answer has at most. */
export const VERSION_PAGE = 20;

/** What stood in a field, newest first; `before` is a revision. */
export async function listPlanVersions(
  db: Db,
  businessId: string,
  field: PlanField,
  before?: number,
): Promise<PlanVersion[]> {
  const answer = await db.rpc('list_plan_versions', {
    p_business_id: businessId,
    p_field: field,
    p_limit: VERSION_PAGE,
    ...(before === undefined ? {} : { p_before: before }),
  });
  return dataOf(answer) as unknown as PlanVersion[];
}

/** Brings an older version back, as a new one. */
export async function restorePlanVersion(
  db: Db,
  place: { businessId: string; field: PlanField; revision: number; editor: string },
): Promise<SavedField> {
  const answer = await db.rpc('restore_plan_version', {
    p_business_id: place.businessId,
    p_field: place.field,
    p_revision: place.revision,
    p_editor: place.editor,
  });
  return dataOf(answer) as unknown as SavedField;
}
