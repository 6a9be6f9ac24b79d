/** What a business says of itself, saved as one types. */
import { getBusiness } from '#data/businesses.ts';
import { db } from '#lib/db.ts';
import { type FactField, type Facts, factAsStored } from '#lib/schemas.ts';
import { openOutbox, pageDeps } from '#stores/outbox.ts';
import { sessionEnded } from '#stores/session.ts';
import { createKeptFields, type KeptFields } from '#sync/kept-fields.ts';

/** A field as it stands in the database. */
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
export function createFactsStore(
  businessId: string,
  owner: string,
  facts: Facts,
): KeptFields<FactField, Fact> {
  return createKeptFields<FactField, Fact, { known: string[] }>({
    kind: 'fact',
    scope: businessId,
    initial: asFields(facts),
    asStored: factAsStored,
    baseOf: ({ value }) => ({ known: [value] }),
    extend: ({ known }, value) => ({ known: withKnown(known, value) }),
    isStale: ({ known }, { value }) => !known.includes(value),
    read: async () => asFields((await getBusiness(await db(), businessId)).facts),
    openOutbox: (environment) => openOutbox(owner, pageDeps, environment),
    signedOut: sessionEnded,
  });
}

/** Most values that a change says to know. */
const KNOWN = 20;

/**
 * What a page knows to have stood in a field, with one more value that it sent. Beside the newest it
 * keeps the first, which is what stands in the database as long as nothing arrives.
 */
export function withKnown(known: readonly string[], value: string): string[] {
  const [first = '', ...later] = known;
  return [first, ...[...new Set([...later, value])].slice(1 - KNOWN)];
}
