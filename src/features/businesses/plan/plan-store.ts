/** The one-page plan, saved as one types. */

import { getPlan, type Plan, restorePlanVersion, type SavedField } from '#data/business-plans.ts';
import { PLAN_FIELDS, type PlanField, planAsStored } from '#domain/plan.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { openOutbox, pageDeps } from '#stores/outbox.ts';
import { sessionEnded } from '#stores/session.ts';
import { createKeptFields, type KeptFields } from '#sync/kept-fields.ts';

export interface PlanStore extends KeptFields<PlanField, SavedField> {
  /** Brings an older version of a field back. Throws an AppError. */
  restore(field: PlanField, revision: number): Promise<void>;
}

/** Every field, those that were never filled in too. */
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

/** @param owner the id of the person who types */
export function createPlanStore(plan: Plan, owner: string): PlanStore {
  const { business_id: businessId } = plan;
  // This page: the database lets it go on with what it wrote itself.
  const editor = newId();
  const kept = createKeptFields<PlanField, SavedField, { revision: number; editor: string }>({
    kind: 'plan',
    scope: businessId,
    initial: fieldsOf(plan),
    asStored: (_field, value) => planAsStored(value),
    baseOf: ({ revision }) => ({ revision, editor }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    read: async () => fieldsOf(await getPlan(await db(), businessId)),
    openOutbox: (environment) => openOutbox(owner, pageDeps, environment),
    signedOut: sessionEnded,
  });
  return {
    ...kept,
    async restore(field, revision) {
      const place = { businessId, field, revision, editor };
      kept.renew(field, await restorePlanVersion(await db(), place));
    },
  };
}
