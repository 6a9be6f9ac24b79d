/** The details of a business, saved as you type. */
import { getBusiness } from '#data/businesses.ts';
import { db } from '#lib/db.ts';
import { type FactField, type Facts, factAsStored } from '#lib/schemas.ts';
import { Autosave } from '#sync/autosave.ts';
import { factKind } from '#sync/kinds/fact.ts';
import { pageSync } from '#sync/page-sync.ts';

/** A field as it is in the database. */
export interface Fact {
  value: string;
}

const asFields = (facts: Facts) =>
  Object.fromEntries(Object.entries(facts).map(([field, value]) => [field, { value }])) as Record<
    FactField,
    Fact
  >;

/**
 * @param owner the id of the person who types
 * @param facts as the page was rendered with them
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
 * What a page knows a field to have held, with one more value that it sent. Beside the newest it
 * keeps the first, which is what the database holds as long as nothing arrives.
 */
export function withKnown(known: readonly string[], value: string): string[] {
  const [first = '', ...later] = known;
  return [first, ...[...new Set([...later, value])].slice(1 - KNOWN)];
}
