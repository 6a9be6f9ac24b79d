/** Businesses: the list, one with everything its page shows, saving its fields, and archiving. */
import * as v from 'valibot';
import { AppError } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { NewBusiness } from '#lib/schemas/account.ts';
import type { FactField, Facts } from '#lib/schemas/business.ts';
import type { Db } from '#lib/supabase.ts';
import { invitation, member, ownInvitation } from './business-members.ts';
import { businessClient, businessRole } from './business-roles.ts';
import { snapshot } from './business-snapshots.ts';

/** How many boxes of the plan are filled in, and when one was last saved. */
const planProgress = v.object({
  filled: v.number(),
  of: v.number(),
  saved_at: v.nullable(v.string()),
});

export const businessRow = v.object({
  id: v.string(),
  name: v.string(),
  trading: v.nullable(v.string()),
  city: v.nullable(v.string()),
  region: v.nullable(v.string()),
  postal_code: v.nullable(v.string()),
  industry: v.nullable(v.string()),
  role: businessRole,
  archived_at: v.nullable(v.string()),
  members: v.number(),
  /** The owner's name; null if they have none. */
  owner: v.nullable(v.string()),
  plan: planProgress,
  /** Null if there's no forecast yet. */
  forecast_saved_at: v.nullable(v.string()),
});
export type BusinessRow = v.InferOutput<typeof businessRow>;

export const businessPage = v.object({
  businesses: v.array(businessRow),
  /** Businesses on all pages. */
  total: v.number(),
  /** Businesses in the other list: archived if this one lists active ones, and vice versa. */
  other: v.number(),
  page_size: v.number(),
  /** Open invitations to the user; empty in the list of archived businesses. */
  invitations: v.array(ownInvitation),
});
export type BusinessPage = v.InferOutput<typeof businessPage>;

/** As stored: every field is a string, '' while unknown. */
export const facts = v.object({
  ...v.entriesFromList(
    [
      'name',
      'postal_code',
      'help_wanted',
      'legal_name',
      'entity_type',
      'industry',
      'stage',
      'start_date',
      'description',
      'address_line1',
      'address_line2',
      'city',
      'region',
      'country',
      'phone',
      'website',
    ],
    v.string(),
  ),
  trading: v.picklist(['trading', 'not-yet', '']),
  home_based: v.picklist(['yes', 'no', '']),
}) satisfies v.GenericSchema<unknown, Facts>;

export const business = v.object({
  id: v.string(),
  role: businessRole,
  archived_at: v.nullable(v.string()),
  /** Set if an admin found that it's the same as another one, where everything is now. */
  merged_into: v.nullable(v.object({ id: v.string(), name: v.string() })),
  facts,
  /** The latest, newest first. */
  snapshots: v.array(snapshot),
  /** Empty for the coach. */
  members: v.array(member),
  /** Open ones; empty for everyone but the owner. */
  invitations: v.array(invitation),
  plan: planProgress,
  /** Null if there's none yet. */
  forecast: v.nullable(v.object({ saved_at: v.string() })),
  /** How many calculators are kept with it. */
  calculators: v.number(),
  /** Null for everyone but its coach. */
  client: businessClient,
});
export type Business = v.InferOutput<typeof business>;

/** A page of the businesses that the user can read, by name; `page` starts at 1. */
export const listBusinesses = (
  db: Db,
  { archived = false, page = 1 }: { archived?: boolean; page?: number } = {},
) => rpc(db, 'list_businesses', businessPage, { p_archived: archived, p_page: page });

/** One business with everything its page shows. Throws `not-found` if the user can't read it. */
export const getBusiness = (db: Db, id: string) => rpc(db, 'get_business', business, { p_id: id });

/**
 * Creates a business that the user owns. Idempotent by id.
 * Throws `invalid` with the field it belongs to.
 */
export const createBusiness = (db: Db, id: string, input: NewBusiness) =>
  rpc(db, 'create_business', v.object({ id: v.string(), name: v.string() }), {
    p_id: id,
    p_name: input.name,
    ...(input.trading ? { p_trading: input.trading } : {}),
    ...(input.postalCode ? { p_postal_code: input.postalCode } : {}),
    ...(input.helpWanted ? { p_help_wanted: input.helpWanted } : {}),
    ...(input.industry ? { p_industry: input.industry } : {}),
    ...(input.stage ? { p_stage: input.stage } : {}),
  });

/** An edit of one field. */
export interface FactChange {
  business_id: string;
  field: FactField;
  value: string;
  /** The values this page has loaded or sent; if a different one is stored, it's a conflict. */
  known: string[];
}

/**
 * Saves one field. Throws `invalid` with a readable reason, and `conflict`, saving nothing, if
 * someone else saved a value that the user hasn't seen.
 */
export async function saveBusinessFact(db: Db, change: FactChange): Promise<void> {
  const answer = await rpc(
    db,
    'save_business_fact',
    v.object({ saved: v.boolean(), value: v.string() }),
    {
      p_business_id: change.business_id,
      p_field: change.field,
      p_value: change.value,
      p_known: change.known,
    },
  );
  if (!answer.saved) throw new AppError('conflict', 'Someone else changed this in the meantime.');
}

/** Archives a business, which makes it read-only, or with `false` restores it. */
export const archiveBusiness = (db: Db, id: string, archived: boolean) =>
  rpc(db, archived ? 'archive_business' : 'unarchive_business', ignored, {
    p_business_id: id,
  });
