/** The one-page plan, saved as you type. */
import { getPlan, type Plan, restorePlanVersion, type SavedField } from '#data/business-plans.ts';
import { PLAN_FIELDS, type PlanField, planAsStored } from '#domain/plan.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { Autosave } from '#sync/autosave.ts';
import { planKind } from '#sync/kinds/plan.ts';
import { pageSync } from '#sync/page-sync.ts';

/** Every field, including those that were never filled in. */
export function fieldsOf({ fields }: Pick<Plan, 'fields'>): Record<PlanField, SavedField> {
  return Object.fromEntries(
    PLAN_FIELDS.map((field) => [
      field,
      fields.find((each) => each.field === field) ?? {
        field,
        value: '',
        revision: 0,
        saved_by: null,
        saved_at: '',
      },
    ]),
  ) as Record<PlanField, SavedField>;
}

/** @param owner the id of the signed-in user */
export function createPlanStore(plan: Plan, owner: string) {
  const { business_id: businessId } = plan;
  // Identifies this page, so the database doesn't see a conflict with its own earlier changes.
  const editor = newId();
  const autosave = new Autosave<
    PlanField,
    string,
    SavedField,
    { revision: number; editor: string }
  >({
    kind: planKind,
    keyOf: (field) => `${businessId}/${field}`,
    initial: fieldsOf(plan),
    shownOf: ({ value }) => value,
    normalize: (_field, value) => planAsStored(value),
    baseOf: ({ revision }) => ({ revision, editor }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, value) => ({ ...before, value }),
    merge: (theirs, mine) => `${theirs}\n${mine}`,
    read: async () => fieldsOf(await getPlan(await db(), businessId)),
    openSync: () => pageSync(owner),
  });
  return {
    autosave,
    /** Restores an older version of a field. Throws an AppError. */
    async restore(field: PlanField, revision: number): Promise<void> {
      const place = { businessId, field, revision, editor };
      autosave.renew(field, await restorePlanVersion(await db(), place));
    },
  };
}
