/** Businesses: what they say of themselves, who belongs to them, and putting them away. */
import type { MemberRole } from '#domain/business.ts';
import { AppError, dataOf } from '#lib/errors.ts';
import type { FactField, Facts, NewBusiness } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';
import type { Invitation, Member, OwnInvitation } from './business-members.ts';
import type { Snapshot } from './business-snapshots.ts';

/** What somebody is in a business; null for the coach, who only reads. */
export type BusinessRole = MemberRole | null;

export interface BusinessRow {
  id: string;
  name: string;
  trading: string | null;
  city: string | null;
  region: string | null;
  postal_code: string | null;
  industry: string | null;
  role: BusinessRole;
  archived_at: string | null;
  members: number;
}

export interface BusinessPage {
  businesses: BusinessRow[];
  /** How many there are on all pages. */
  total: number;
  /** How many there are on the other side: archived ones, or those in use. */
  other: number;
  page_size: number;
  /** Open ones to this person; empty beside archived businesses. */
  invitations: OwnInvitation[];
}

export interface Business {
  id: string;
  role: BusinessRole;
  archived_at: string | null;
  facts: Facts;
  /** The newest ones, newest first. */
  snapshots: Snapshot[];
  /** Empty for the coach. */
  members: Member[];
  /** Open ones; empty for everyone but the owner. */
  invitations: Invitation[];
  plan: { filled: number; of: number; saved_at: string | null };
}

/** A page of the businesses that the person may read, by name; `page` counts from 1. */
export async function listBusinesses(
  db: Db,
  { archived = false, page = 1 }: { archived?: boolean; page?: number } = {},
): Promise<BusinessPage> {
  const answer = await db.rpc('list_businesses', { p_archived: archived, p_page: page });
  return dataOf(answer) as unknown as BusinessPage;
}

/** One business with everything that its page shows. Throws `not-found` for whoever may not read it. */
export async function getBusiness(db: Db, id: string): Promise<Business> {
  return dataOf(await db.rpc('get_business', { p_id: id })) as unknown as Business;
}

/**
 * Makes a business that the person owns. Sent twice with the same id it stays one.
 * Throws `invalid` with the field it belongs to.
 */
export async function createBusiness(
  db: Db,
  id: string,
  input: NewBusiness,
): Promise<{ id: string; name: string }> {
  const made = dataOf(
    await db.rpc('create_business', {
      p_id: id,
      p_name: input.name,
      ...(input.trading ? { p_trading: input.trading } : {}),
      ...(input.postalCode ? { p_postal_code: input.postalCode } : {}),
      ...(input.helpWanted ? { p_help_wanted: input.helpWanted } : {}),
    }),
  );
  return made as { id: string; name: string };
}

/** One field of a business as somebody typed it. */
export interface FactChange {
  business_id: string;
  field: FactField;
  value: string;
  /** What stood there as far as this page knows, and what it sent itself since. */
  known: string[];
}

/**
 * Saves one field. Throws `invalid` in words, and `conflict` where somebody else wrote something
 * that the sender has not seen; then nothing was saved.
 */
export async function saveBusinessFact(db: Db, change: FactChange): Promise<void> {
  const answer = dataOf(
    await db.rpc('save_business_fact', {
      p_business_id: change.business_id,
      p_field: change.field,
      p_value: change.value,
      p_known: change.known,
    }),
  ) as { saved: boolean };
  if (!answer.saved) throw new AppError('conflict', 'Somebody else has changed this meanwhile.');
}

/** Puts a business away, readable and not to be changed, or (false) brings it back. */
export async function archiveBusiness(db: Db, id: string, archived: boolean): Promise<void> {
  dataOf(await db.rpc(archived ? 'archive_business' : 'unarchive_business', { p_business_id: id }));
}
