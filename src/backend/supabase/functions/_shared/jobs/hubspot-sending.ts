import * as v from 'valibot';
import { type Database, queryOne } from '../connection.ts';
import type { HubSpot, HubSpotBatch, HubSpotKind, HubSpotRecord } from '../hubspot.ts';
import type { HubSpotMapping } from '../hubspot-mapping.ts';
import { RemoteError } from '../remote-api.ts';
import { writeInHalves } from './hubspot-batches.ts';

const taken = v.array(
  v.object({
    id: v.string(),
    kind: v.picklist(['contact', 'company']),
    wants: v.picklist(['save', 'archive', 'erase']),
    source_id: v.string(),
    label: v.string(),
    version: v.number(),
    hubspot_id: v.nullable(v.string()),
    /** Whether it's there and as we left it; if not, it's read before it's written. */
    is_known: v.boolean(),
    properties: v.record(v.string(), v.string()),
    hash: v.string(),
  }),
);
type Taken = v.InferOutput<typeof taken>[number];

interface Outcome {
  outcome: 'sent' | 'unchanged' | 'refused' | 'removed' | 'in_doubt';
  hubspot_id?: string | null;
  reason?: string;
}
type Outcomes = Map<Taken, Outcome>;

/** Sends or removes a batch of what waits. Resolves to whether anything did. */
export async function sendRecords(
  db: Database,
  client: HubSpot,
  mapping: HubSpotMapping,
): Promise<boolean> {
  const row = await queryOne<{ taken: unknown }>(
    db,
  )`select private.take_hubspot_records() as taken`;
  const records = v.parse(taken, row?.taken);
  const [first] = records;
  if (!first) return false;
  const outcomes: Outcomes = new Map();
  const { kind } = first;
  try {
    const there = await findRecords(
      client,
      kind,
      mapping,
      records.filter((record) => !record.is_known),
    );
    if (first.wants === 'save')
      await saveAll(client, kind, mapping[kind].id ?? '', { records, there, outcomes });
    else await removeAll(client, mapping[kind].id ?? '', { records, there, outcomes });
  } finally {
    await keepOutcomes(db, records, outcomes);
  }
  return true;
}

/** Stores what became of each; of the rest, nobody knows whether it arrived. */
async function keepOutcomes(db: Database, records: Taken[], outcomes: Outcomes): Promise<void> {
  const rows = records.map((record) => ({
    id: record.id,
    version: record.version,
    hash: record.hash,
    ...(outcomes.get(record) ?? { outcome: 'in_doubt' }),
  }));
  await queryOne(db)`select private.keep_hubspot_outcomes(${JSON.stringify(rows)}::jsonb)`;
}

/** What a record of ours is called by in HubSpot before it has our id. */
export const keyOf = (record: { kind: HubSpotKind; label: string; source_id: string }): string =>
  record.kind === 'contact' ? record.label : record.source_id;

/** Reads records in HubSpot by what they're called there: contacts by address, companies by our id. */
export async function findRecords(
  client: HubSpot,
  kind: HubSpotKind,
  mapping: HubSpotMapping,
  records: readonly { kind: HubSpotKind; label: string; source_id: string }[],
): Promise<Map<string, HubSpotRecord>> {
  if (records.length === 0) return new Map();
  const by = mapping[kind][kind === 'contact' ? 'email' : 'id'] ?? '';
  const names = Object.values(mapping[kind]);
  const found: HubSpotRecord[] = [];
  const read = async (some: readonly string[]) => {
    found.push(...(await client.read(kind, by, [...some], names)));
    return [];
  };
  // An address that HubSpot refuses to look for isn't there.
  await writeInHalves(records.map(keyOf), read, () => {});
  return new Map(found.map((record) => [(record.properties[by] ?? '').toLowerCase(), record]));
}

/** Whether HubSpot has exactly these values. */
export const hasAll = (record: HubSpotRecord, properties: Record<string, string>): boolean =>
  Object.entries(properties).every(([name, value]) => record.properties[name] === value);

interface Round {
  records: Taken[];
  /** What HubSpot has of those that weren't known, by `keyOf`. */
  there: Map<string, HubSpotRecord>;
  outcomes: Outcomes;
}

async function saveAll(
  client: HubSpot,
  kind: HubSpotKind,
  idName: string,
  round: Round,
): Promise<void> {
  const { records, there, outcomes } = round;
  const [fresh, adopted]: [Taken[], Taken[]] = [[], []];
  for (const record of records) {
    const found = record.is_known ? undefined : there.get(keyOf(record));
    if (!found) fresh.push(record);
    else if (hasAll(found, record.properties)) {
      outcomes.set(record, { outcome: 'unchanged', hubspot_id: found.id });
    } else if (found.properties[idName] === record.source_id) fresh.push(record);
    else adopted.push(record);
  }
  const refuse = (record: Taken, reason: string) =>
    void outcomes.set(record, { outcome: 'refused', reason });

  const write =
    (send: (some: readonly Taken[]) => Promise<HubSpotBatch>) => async (some: readonly Taken[]) =>
      readBatch(some, await send(some), outcomes);
  // Someone HubSpot already knows by this address gets our id.
  if (adopted.length > 0) {
    const update = (some: readonly Taken[]) =>
      client.update(
        kind,
        some.map((record) => ({
          id: there.get(keyOf(record))?.id ?? '',
          properties: record.properties,
          objectWriteTraceId: record.id,
        })),
      );
    await writeInHalves(adopted, write(update), refuse);
  }
  if (fresh.length > 0) {
    const upsert = (some: readonly Taken[]) =>
      client.upsert(
        kind,
        some.map((record) => ({
          id: record.source_id,
          idProperty: idName,
          properties: record.properties,
          objectWriteTraceId: record.id,
        })),
      );
    await writeInHalves(fresh, write(upsert), refuse);
  }
}

/** Reads an answer record by record; returns those it says nothing about. */
function readBatch(some: readonly Taken[], batch: HubSpotBatch, outcomes: Outcomes): Taken[] {
  const results = new Map(batch.results.map((result) => [result.objectWriteTraceId, result.id]));
  const reasons = new Map(
    (batch.errors ?? []).flatMap(({ message, context }) =>
      (context?.objectWriteTraceId ?? []).map((id) => [id, message] as const),
    ),
  );
  return some.filter((record) => {
    const hubspotId = results.get(record.id);
    const reason = reasons.get(record.id);
    if (hubspotId !== undefined) outcomes.set(record, { outcome: 'sent', hubspot_id: hubspotId });
    else if (reason !== undefined) outcomes.set(record, { outcome: 'refused', reason });
    return hubspotId === undefined && reason === undefined;
  });
}

async function removeAll(client: HubSpot, idName: string, round: Round): Promise<void> {
  const { records, there, outcomes } = round;
  for (const record of records) {
    const found = there.get(keyOf(record));
    // Someone HubSpot knows from elsewhere stays.
    const id =
      record.hubspot_id ?? (found?.properties[idName] === record.source_id ? found.id : null);
    try {
      if (id !== null) {
        await (record.wants === 'erase' ? client.erase(id) : client.archive(record.kind, id));
      }
      outcomes.set(record, { outcome: 'removed' });
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (error.why === 'gone') outcomes.set(record, { outcome: 'removed' });
      else if (error.why === 'refused')
        outcomes.set(record, { outcome: 'refused', reason: error.message });
      else throw error;
    }
  }
}
