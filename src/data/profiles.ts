/** What a person shows of themselves. */
import { toAppError } from '#lib/errors.ts';
import type { Profile } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';

/** Saves the name and the time zone of the person who is signed in. */
export async function saveProfile(db: Db, userId: string, input: Profile): Promise<void> {
  const { error, status } = await db
    .from('profiles')
    .update({ full_name: input.fullName, time_zone: input.timeZone })
    .eq('user_id', userId)
    .select('user_id')
    .single();
  if (error) throw toAppError(error, status);
}
