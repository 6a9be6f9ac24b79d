import * as v from 'valibot';
import { type Database, queryOne } from '../connection.ts';
import type { HubSpot } from '../hubspot.ts';
import type { HubSpotMapping } from '../hubspot-mapping.ts';
import { findRecords, hasAll, keyOf } from './hubspot-sending.ts';

const taken = v.array(
  v.object({
    id: v.string(),
    kind: v.picklist(['contact', 'company']),
    source_id: v.string(),
    label: v.string(),
    version: v.number(),
    properties: v.record(v.string(), v.string()),
  }),
);

/** Reads what HubSpot has of a batch, for the dry run. Resolves to whether any was left. */
export async function compareRecords(
  db: Database,
  client: HubSpot,
  mapping: HubSpotMapping,
): Promise<boolean> {
  const row = await queryOne<{ taken: unknown }>(db)`
    select private.take_hubspot_comparisons() as taken`;
  const records = v.parse(taken, row?.taken);
  const [first] = records;
  if (!first) return false;
  const there = await findRecords(client, first.kind, mapping, records);
  const compared = records.map((record) => {
    const found = there.get(keyOf(record));
    const values = Object.keys(record.properties).map((name) => [
      name,
      found?.properties[name] ?? '',
    ]);
    return {
      id: record.id,
      version: record.version,
      found: found ? Object.fromEntries(values) : null,
      change: !found ? 'new' : hasAll(found, record.properties) ? 'unchanged' : 'changed',
    };
  });
  await queryOne(db)`select private.keep_hubspot_comparisons(${JSON.stringify(compared)}::jsonb)`;
  return true;
}
