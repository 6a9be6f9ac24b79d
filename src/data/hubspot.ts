/** The sync of contacts and companies with HubSpot, for admins. */
import * as v from 'valibot';
import {
  HUBSPOT_KINDS,
  HUBSPOT_STATES,
  type HubSpotFilter,
  type HubSpotMapping,
  type HubSpotStep,
  RECORD_CHANGES,
  RECORD_STATES,
  RECORD_WANTS,
} from '#domain/hubspot.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

const properties = v.array(
  v.object({ name: v.string(), label: v.string(), fits: v.picklist(['id', 'text', 'date']) }),
);

const hubspotSync = v.object({
  state: v.picklist(HUBSPOT_STATES),
  mapping: v.object({
    contact: v.record(v.string(), v.string()),
    company: v.record(v.string(), v.string()),
  }),
  /** When the last dry run ended. */
  previewed_at: v.nullable(v.string()),
  /** What was seen of HubSpot; null before anybody had it checked. */
  connection: v.nullable(
    v.object({
      checked_at: v.string(),
      is_connected: v.boolean(),
      /** A sentence; null if everything's fine. */
      problem: v.nullable(v.string()),
      /** Fields whose property can't take them. */
      problems: v.array(
        v.object({ kind: v.picklist(HUBSPOT_KINDS), field: v.string(), reason: v.string() }),
      ),
      /** HubSpot's properties, as far as they can take something of ours. */
      properties: v.object({ contact: properties, company: properties }),
    }),
  ),
  /** Contacts who agreed to be sent, and those who didn't. */
  agreed: v.number(),
  not_agreed: v.number(),
  records: v.array(
    v.object({
      kind: v.picklist(HUBSPOT_KINDS),
      state: v.picklist(RECORD_STATES),
      wants: v.picklist(RECORD_WANTS),
      change: v.nullable(v.picklist(RECORD_CHANGES)),
      count: v.number(),
    }),
  ),
  /** Contacts that HubSpot shows with their company, and where it refused to. */
  links: v.number(),
  refused_links: v.number(),
  /** The job that does the work, if there's something to do. */
  job: v.nullable(
    v.object({
      state: v.picklist(['waiting', 'running', 'failed']),
      error: v.nullable(v.string()),
      run_at: v.string(),
    }),
  ),
});
export type HubSpotSync = v.InferOutput<typeof hubspotSync>;

export const hubspotRecord = listedRow({
  kind: v.picklist(HUBSPOT_KINDS),
  /** The contact's or business's id here; it may be gone. */
  source_id: v.string(),
  /** A contact's address or a company's name. */
  label: v.string(),
  wants: v.picklist(RECORD_WANTS),
  state: v.picklist(RECORD_STATES),
  /** What the dry run found; forgotten once it's sent. */
  change: v.nullable(v.picklist(RECORD_CHANGES)),
  changes: v.array(
    v.object({ property: v.string(), old: v.nullable(v.string()), new: v.string() }),
  ),
  /** Why HubSpot refused it. */
  reason: v.nullable(v.string()),
  attempts: v.number(),
  sent_at: v.nullable(v.string()),
});
export type HubSpotRecord = v.InferOutput<typeof hubspotRecord>;

/** How far the sync is. Throws an AppError. */
export const getHubSpot = (db: Db) => rpc(db, 'admin_hubspot', hubspotSync);

/** A page of records. Throws an AppError. */
export const listHubSpotRecords = (db: Db, filter: HubSpotFilter, limit?: number) =>
  readAdminList(db, 'admin_hubspot_records', hubspotRecord, filter, limit);

/** Says which property each field is sent as. Throws an AppError. */
export const mapHubSpot = (db: Db, mapping: HubSpotMapping) =>
  rpc(db, 'map_hubspot', hubspotSync, { p_mapping: mapping });

/** Has the connection checked, starts a dry run, sends, or stops either. Throws an AppError. */
export const runHubSpot = (db: Db, step: HubSpotStep) =>
  rpc(db, 'run_hubspot', hubspotSync, { p_step: step });

/** Has a refused record sent again, or all of them. Returns how many. Throws an AppError. */
export async function replayHubSpot(db: Db, id: string | null): Promise<number> {
  const { replayed } = await rpc(
    db,
    'replay_hubspot',
    v.object({ replayed: v.number() }),
    id ? { p_id: id } : {},
  );
  return replayed;
}
