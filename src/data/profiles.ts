/** What people say of themselves: how to reach them, which mails they want, who they are. */
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Profile } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';

export interface Notifications {
  /** What one set out to do and when it is due. */
  reminders: boolean;
  /** What others do in a business. */
  news: boolean;
  /** Messages that stay unread. */
  messages: boolean;
  /** Whether those mails show what was written; off: only who wrote. */
  message_text: boolean;
}

/** Who somebody is, as far as they said it; null or empty where they did not. */
export interface Demographics {
  age_group: string | null;
  gender: string | null;
  origins: string[];
  veteran: boolean | null;
  disability: boolean | null;
  place: string | null;
}

export interface OwnProfile {
  full_name: string;
  preferred_name: string | null;
  phone: string | null;
  /** IANA; null while neither the person nor a browser of theirs has said it. */
  time_zone: string | null;
  /** BCP 47, best first. */
  languages: string[];
  /** Path in the bucket `avatars`. */
  avatar_path: string | null;
  notifications: Notifications;
  /** Null where nothing was said. */
  demographics: Demographics | null;
}

/** The profile of the person who is signed in. */
export async function getProfile(db: Db): Promise<OwnProfile> {
  return dataOf(await db.rpc('get_profile')) as unknown as OwnProfile;
}

/** Saves what the person who is signed in says of themselves; what is left out stays as it was. */
export async function saveProfile(db: Db, userId: string, input: Partial<Profile>): Promise<void> {
  const { fullName, preferredName, phone, timeZone, languages } = input;
  const { error, status } = await db
    .from('profiles')
    .update({
      ...(fullName !== undefined && { full_name: fullName }),
      ...(preferredName !== undefined && { preferred_name: preferredName || null }),
      ...(phone !== undefined && { phone: phone || null }),
      ...(timeZone !== undefined && { time_zone: timeZone || null }),
      ...(languages !== undefined && { languages }),
    })
    .eq('user_id', userId)
    .select('user_id')
    .single();
  if (error) throw toAppError(error, status);
}

/** Says which mails the person wants; what is left out stays as it was. */
export async function saveNotifications(db: Db, wanted: Partial<Notifications>): Promise<void> {
  const { error, status } = await db.rpc(
    'save_notification_settings',
    Object.fromEntries(Object.entries(wanted).map(([what, on]) => [`p_${what}`, on])),
  );
  if (error) throw toAppError(error, status);
}

/** Stores who the person is; nothing said takes away what was. */
export async function saveDemographics(db: Db, said: Demographics): Promise<void> {
  const { error, status } = await db.rpc('save_demographics', {
    p_age_group: said.age_group as string,
    p_gender: said.gender as string,
    p_origins: said.origins,
    p_veteran: said.veteran as boolean,
    p_disability: said.disability as boolean,
    p_place: said.place as string,
  });
  if (error) throw toAppError(error, status);
}
