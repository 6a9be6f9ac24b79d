/** The details of a business, saved as you type. */
import { getBusiness } from '#data/businesses.ts';
import { db } from '#lib/db.ts';
import { type FactField, type Facts, factAsStored } from '#lib/schemas/business.ts';
import { Autosave } from '#sync/autosave.ts';
import { factKind } from '#sync/kinds/fact.ts';
import { pageSync } from '#sync/page-sync.ts';

/** A field's stored value. */
export interface Fact {
  value: string;
}

const asFields = (facts: Facts) =>
  Object.fromEntries(Object.entries(facts).map(([field, value]) => [field, { value }])) as Record<
    FactField,
    Fact
  >;

/**
 * @param owner the id of the signed-in user
 * @param facts the facts the page was rendered with
 */
export function createFactsStore(businessId: string, owner: string, facts: Facts) {
  return new Autosave<FactField, string, Fact, { known: string[] }>({
    kind: factKind,
    keyOf: (field) => `${businessId}/${field}`,
    initial: asFields(facts),
    shownOf: ({ value }) => value,
    normalize: factAsStored,
    baseOf: ({ value }) => ({ known: [value] }),
    extend: ({ known }, value) => ({ known: withKnown(known, value) }),
    isStale: ({ known }, { value }) => !known.includes(value),
    afterSaving: (_before, value) => ({ value }),
    merge: (theirs, mine) => `${theirs}\n${mine}`,
    read: async () => asFields((await getBusiness(await db(), businessId)).facts),
    openSync: () => pageSync(owner),
  });
}

/** The most values that a change can list as known. */
const KNOWN = 20;

/**
 * Adds a value that the page sent to the values it knows a field has had. It keeps the newest ones
 * and the first, which is what the database has as long as nothing arrives.
 */
export function withKnown(known: readonly string[], value: string): string[] {
  const [first = '', ...later] = known;
  return [first, ...[...new Set([...later, value])].slice(1 - KNOWN)];
}
