import type { HubSpotKind, HubSpotProperty } from './hubspot.ts';

/** Our field → HubSpot's property, for each kind. */
export type HubSpotMapping = Record<HubSpotKind, Record<string, string>>;

/** Fields whose property may also be a date. */
const DATES = new Set(['subscribed_on']);

/** Why a property can't take a field; null if it can. */
export function misfit(field: string, property: HubSpotProperty | undefined): string | null {
  if (!property || property.archived) return 'HubSpot has no such property.';
  if (property.modificationMetadata?.readOnlyValue) return 'HubSpot doesn’t let anyone change it.';
  if (property.type !== 'string' && !(DATES.has(field) && property.type === 'date')) {
    return `It takes a ${property.type}, and this is ${DATES.has(field) ? 'a date' : 'text'}.`;
  }
  if (field === 'id' && !property.hasUniqueValue) {
    return 'Its values have to be unique: turn on “Require unique values” when you create it.';
  }
  return null;
}

/** The first thing that's wrong with the mapping of a kind, in a sentence; null if nothing is. */
export function mappingProblem(
  kind: HubSpotKind,
  mapping: HubSpotMapping,
  properties: readonly HubSpotProperty[],
): string | null {
  for (const [field, name] of Object.entries(mapping[kind])) {
    const problem = misfit(
      field,
      properties.find((property) => property.name === name),
    );
    if (problem) return `The ${kind} property “${name}” doesn’t fit. ${problem}`;
  }
  return null;
}
