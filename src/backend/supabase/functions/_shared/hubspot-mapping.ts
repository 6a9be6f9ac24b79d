import type { HubSpotKind, HubSpotProperty } from './hubspot.ts';

/** Our field → HubSpot's property, for each kind. */
export type HubSpotMapping = Record<HubSpotKind, Record<string, string>>;

/** A field whose property can't take it. */
export interface Misfit {
  kind: HubSpotKind;
  field: string;
  reason: string;
}

/** Fields whose property may also be a date. */
const DATES = new Set(['subscribed_on']);

/** What a property can take; null if it can't take anything of ours. */
export function fitOf(property: HubSpotProperty): 'id' | 'text' | 'date' | null {
  if (property.archived || property.modificationMetadata?.readOnlyValue) return null;
  if (property.type === 'date') return 'date';
  if (property.type !== 'string') return null;
  return property.hasUniqueValue ? 'id' : 'text';
}

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

/** What's wrong with the mapping. */
export function misfitsOf(
  mapping: HubSpotMapping,
  properties: Record<HubSpotKind, readonly HubSpotProperty[]>,
): Misfit[] {
  return (['contact', 'company'] as const).flatMap((kind) =>
    Object.entries(mapping[kind]).flatMap(([field, name]) => {
      const reason = misfit(
        field,
        properties[kind].find((property) => property.name === name),
      );
      return reason ? [{ kind, field, reason }] : [];
    }),
  );
}
