import { type Database, queryOne } from '../connection.ts';
import type { HubSpot, HubSpotProperty } from '../hubspot.ts';
import { fitOf, type HubSpotMapping, type Misfit, misfitsOf } from '../hubspot-mapping.ts';
import { RemoteError, sentenceOf } from '../remote-api.ts';

/** What's wrong, in a sentence, and how long to wait until it's tried again, in s. */
export interface Trouble {
  message: string;
  after: number;
}

interface Listed {
  name: string;
  label: string;
  fits: 'id' | 'text' | 'date';
}
const NO_PROPERTIES: { contact: Listed[]; company: Listed[] } = { contact: [], company: [] };

/**
 * Looks whether HubSpot is connected and can take what we'd send, and stores what it saw for the
 * screen. Resolves to what's wrong; null if nothing is.
 */
export async function checkConnection(
  db: Database,
  client: HubSpot | null,
  mapping: HubSpotMapping,
): Promise<Trouble | null> {
  const keep = (
    trouble: Trouble | null,
    problems: Misfit[] = [],
    properties: typeof NO_PROPERTIES | null = null,
  ) => {
    const row = {
      problem: trouble?.message ?? null,
      is_connected: properties !== null,
      problems,
      properties: properties ?? NO_PROPERTIES,
    };
    return queryOne(db)`select private.keep_hubspot_connection(${JSON.stringify(row)}::jsonb)`;
  };

  if (!client) {
    const trouble = { message: 'HubSpot isn’t connected: HUBSPOT_TOKEN isn’t set.', after: 0 };
    await keep(trouble);
    return trouble;
  }
  try {
    const contact = await client.properties('contact');
    const company = await client.properties('company');
    const problems = misfitsOf(mapping, { contact, company });
    const trouble = troubleOf(mapping, problems);
    await keep(trouble, problems, { contact: listed(contact), company: listed(company) });
    return trouble;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const trouble = { message: sentenceOf(error, 'HubSpot', 'HUBSPOT_TOKEN'), after: error.after };
    await keep(trouble);
    return trouble;
  }
}

function troubleOf(mapping: HubSpotMapping, [first]: Misfit[]): Trouble | null {
  if (!first) return null;
  const { kind, field, reason } = first;
  const message = `The ${kind} property “${mapping[kind][field]}” doesn’t fit. ${reason}`;
  return { message, after: 0 };
}

const listed = (properties: readonly HubSpotProperty[]): Listed[] =>
  properties.flatMap((property) => {
    const fits = fitOf(property);
    return fits ? [{ name: property.name, label: property.label, fits }] : [];
  });
