/** Businesses and who belongs to them. */
import { dataOf } from '#lib/errors.ts';
import type { NewBusiness } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';

export interface BusinessRow {
  id: string;
  name: string;
  trading: string | null;
  postal_code: string | null;
  help_wanted: string | null;
  created_at: string;
}

/** The most that one page shows; nobody is known to run more. */
const PAGE = 100;

/** The businesses that the person belongs to, by name. */
export async function listBusinesses(db: Db, ids: string[]): Promise<BusinessRow[]> {
  if (ids.length === 0) return [];
  return dataOf(
    await db
      .from('businesses')
      .select('id, name, trading, postal_code, help_wanted, created_at')
      .in('id', ids.slice(0, PAGE))
      .order('name'),
  );
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
