import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { setting } from './settings.ts';

/** Our kinds of records, and what HubSpot's addresses call them. */
export const HUBSPOT_KINDS = { contact: 'contacts', company: 'companies' } as const;
export type HubSpotKind = keyof typeof HUBSPOT_KINDS;

/** The version of HubSpot's API, whose shapes are checked here. */
const VERSION = '2026-03';
/** How long a request sits out when HubSpot asks us to wait, in s; its shorter limit counts ten seconds. */
const LONGEST_WAIT = 10;

/** Why HubSpot didn't do something. Its message names no value of a record. */
export class HubSpotError extends Error {
  /**
   * `refused`: what we sent is wrong. `gone`: there's no such record. `token`: our token isn't
   * accepted. `busy`: wait `after` seconds. `away`: no answer, so it may or may not have been done.
   */
  readonly why: 'refused' | 'gone' | 'token' | 'busy' | 'away';
  readonly after: number;

  constructor(why: HubSpotError['why'], message: string, after = 0) {
    super(message);
    this.why = why;
    this.after = after;
  }
}

const refusal = v.object({ message: v.string(), category: v.optional(v.string()) });

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

/** HubSpot's documented REST API, as far as we use it. Every call throws a HubSpotError. */
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
  const base = setting('HUBSPOT_API_BASE') || 'https://api.hubapi.com';
  const ask = createAsk({ base, token, signal, timeLimit });
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

/** Sends requests one after another, as fast as HubSpot's headers allow. */
function createAsk(options: {
  base: string;
  token: string;
  signal: AbortSignal;
  timeLimit: number;
}) {
  const { base, token, signal, timeLimit } = options;
  let freeAt = 0;

  async function once(method: string, path: string, body: unknown): Promise<Response> {
    const early = freeAt - Date.now();
    if (early > 0) await wait(early, undefined, { signal });
    const response = await fetch(new URL(path, base), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]),
    });
    const left = response.headers.get('x-hubspot-ratelimit-remaining');
    const interval = Number(response.headers.get('x-hubspot-ratelimit-interval-milliseconds'));
    if (left !== null && Number(left) <= 0 && interval > 0) {
      freeAt = Date.now() + Math.min(interval, LONGEST_WAIT * 1_000);
    }
    return response;
  }

  return async function ask<Expected extends v.GenericSchema>(
    schema: Expected,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<v.InferOutput<Expected>> {
    for (let waited = 0; ; ) {
      let response: Response;
      let text: string;
      try {
        response = await once(method, path, body);
        text = await response.text();
      } catch (error) {
        if (signal.aborted) throw error;
        throw new HubSpotError('away', 'HubSpot didn’t answer.');
      }
      if (response.ok) return parsed(schema, text);
      const error = errorOf(response, text);
      // Being asked to come back at once counts as a second, so that it ends.
      waited += Math.max(error.after, 1);
      if (error.why !== 'busy' || waited > LONGEST_WAIT) throw error;
      freeAt = Date.now() + error.after * 1_000;
    }
  };
}

function parsed<Expected extends v.GenericSchema>(
  schema: Expected,
  text: string,
): v.InferOutput<Expected> {
  const read = v.safeParse(schema, text === '' ? undefined : jsonOf(text));
  if (read.success) return read.output;
  // It's been done, and read back before it's sent again.
  throw new HubSpotError('away', 'HubSpot’s answer had another form than its documentation says.');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorOf(response: Response, text: string): HubSpotError {
  const { status, headers } = response;
  const said = v.safeParse(refusal, jsonOf(text));
  const message = said.success ? said.output.message : `HubSpot answered ${status}.`;
  if (status === 401 || status === 403) return new HubSpotError('token', message);
  if (status === 404) return new HubSpotError('gone', message);
  if (status === 429) {
    const given = Number(headers.get('retry-after') ?? Number.NaN);
    const after = Number.isFinite(given) ? Math.max(given, 0) : LONGEST_WAIT;
    return new HubSpotError('busy', 'HubSpot asks us to wait.', after);
  }
  if (status >= 500) return new HubSpotError('away', `HubSpot answered ${status}.`);
  return new HubSpotError('refused', message);
}
