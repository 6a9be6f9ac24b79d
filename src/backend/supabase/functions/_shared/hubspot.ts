import * as v from 'valibot';
import { createRemoteApi } from './remote-api.ts';
import { setting } from './settings.ts';

/** Our kinds of records, and what HubSpot's addresses call them. */
export const HUBSPOT_KINDS = { contact: 'contacts', company: 'companies' } as const;
export type HubSpotKind = keyof typeof HUBSPOT_KINDS;

/** The version of HubSpot's API, whose shapes are checked here. */
const VERSION = '2026-03';
const refusal = v.object({ message: v.string() });

const values = v.record(v.string(), v.nullish(v.string()));
const found = v.object({
  id: v.string(),
  properties: values,
  objectWriteTraceId: v.optional(v.string()),
});
/** A record as HubSpot has it. */
export type HubSpotRecord = v.InferOutput<typeof found>;

const batch = v.object({
  results: v.array(found),
  /** Of a 207: what wasn't done, and why. */
  errors: v.optional(
    v.array(
      v.object({
        message: v.string(),
        context: v.optional(v.record(v.string(), v.array(v.string()))),
      }),
    ),
  ),
});
export type HubSpotBatch = v.InferOutput<typeof batch>;

const links = v.object({
  results: v.array(
    v.object({ from: v.object({ id: v.string() }), to: v.object({ id: v.string() }) }),
  ),
});

const property = v.object({
  name: v.string(),
  label: v.string(),
  type: v.string(),
  hasUniqueValue: v.optional(v.boolean()),
  archived: v.optional(v.boolean()),
  modificationMetadata: v.optional(v.object({ readOnlyValue: v.boolean() })),
});
export type HubSpotProperty = v.InferOutput<typeof property>;

/** One record of a batch; the trace id comes back with its result or error. */
export interface HubSpotInput {
  id: string;
  idProperty?: string;
  properties: Record<string, string>;
  objectWriteTraceId: string;
}

/** HubSpot's documented REST API, as far as we use it. Every call throws a RemoteError. */
export interface HubSpot {
  properties(kind: HubSpotKind): Promise<HubSpotProperty[]>;
  /** Up to 100 records by a unique property; those that aren't there are left out. */
  read(kind: HubSpotKind, by: string, ids: string[], names: string[]): Promise<HubSpotRecord[]>;
  /** Creates or changes up to 100 records by the unique property of each. */
  upsert(kind: HubSpotKind, inputs: HubSpotInput[]): Promise<HubSpotBatch>;
  /** Changes up to 100 records by HubSpot's own id. */
  update(kind: HubSpotKind, inputs: HubSpotInput[]): Promise<HubSpotBatch>;
  /** Removes a record; HubSpot can restore it for 90 days. */
  archive(kind: HubSpotKind, id: string): Promise<void>;
  /** Erases a contact for good. */
  erase(id: string): Promise<void>;
  /** Shows up to 100 contacts with their company; the pairs that were done. */
  link(
    pairs: { contact: string; company: string }[],
  ): Promise<{ contact: string; company: string }[]>;
  unlink(contact: string, company: string): Promise<void>;
}

/**
 * A client with HUBSPOT_TOKEN; null without one. HUBSPOT_API_BASE is a stand-in's origin, for tests.
 * @param timeLimit timeout of a request, in ms
 */
export function hubspot(signal: AbortSignal, timeLimit: number): HubSpot | null {
  const token = setting('HUBSPOT_TOKEN');
  if (!token) return null;
  const ask = createRemoteApi({
    ...{ name: 'HubSpot', token, signal, timeLimit },
    base: setting('HUBSPOT_API_BASE') || 'https://api.hubapi.com',
    denials: [401, 403],
    messageOf: (body) => (v.is(refusal, body) ? body.message : null),
    paceOf: pauseIn,
  });
  const objects = (kind: HubSpotKind) => `/crm/objects/${VERSION}/${HUBSPOT_KINDS[kind]}`;
  return {
    async properties(kind) {
      const path = `/crm/properties/${VERSION}/${HUBSPOT_KINDS[kind]}`;
      return (await ask(v.object({ results: v.array(property) }), 'GET', path)).results;
    },
    async read(kind, by, ids, names) {
      const inputs = ids.map((id) => ({ id }));
      const body = { idProperty: by, inputs, properties: names, propertiesWithHistory: [] };
      return (await ask(batch, 'POST', `${objects(kind)}/batch/read`, body)).results;
    },
    upsert: (kind, inputs) => ask(batch, 'POST', `${objects(kind)}/batch/upsert`, { inputs }),
    update: (kind, inputs) => ask(batch, 'POST', `${objects(kind)}/batch/update`, { inputs }),
    archive: (kind, id) => ask(v.void(), 'DELETE', `${objects(kind)}/${encodeURIComponent(id)}`),
    erase: (objectId) => ask(v.void(), 'POST', `${objects('contact')}/gdpr-delete`, { objectId }),
    async link(pairs) {
      const path = `/crm/associations/${VERSION}/contacts/companies/batch/associate/default`;
      const inputs = pairs.map(({ contact, company }) => ({
        from: { id: contact },
        to: { id: company },
      }));
      const { results } = await ask(links, 'POST', path, { inputs });
      return results.map(({ from, to }) => ({ contact: from.id, company: to.id }));
    },
    unlink: (contact, company) =>
      ask(
        v.void(),
        'DELETE',
        `${objects('contact')}/${encodeURIComponent(contact)}/associations/companies/${encodeURIComponent(company)}`,
      ),
  };
}

/** How long to wait once nothing is left of HubSpot's limit, in ms. */
function pauseIn(headers: Headers): number {
  const left = headers.get('x-hubspot-ratelimit-remaining');
  const interval = Number(headers.get('x-hubspot-ratelimit-interval-milliseconds'));
  return left !== null && Number(left) <= 0 && interval > 0 ? interval : 0;
}
