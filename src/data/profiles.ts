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
  /** IANA. */
  time_zone: string;
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

/** Saves what the person who is signed in says of themselves. */
export async function saveProfile(db: Db, userId: string, input: Profile): Promise<void> {
  const { error, status } = await db
    .from('profiles')
    .update({
      full_name: input.fullName,
      preferred_name: input.preferredName || null,
      phone: input.phone || null,
      time_zone: input.timeZone,
      languages: input.languages,
    })
    .eq('user_id', userId)
    .select('user_id')
    .single();
  if (error) throw toAppError(error, status);
}

/** Says which mails the person wants. */
export async function saveNotifications(db: Db, wanted: Notifications): Promise<void> {
  const { error, status } = await db.rpc('save_notification_settings', {
    p_reminders: wanted.reminders,
    p_news: wanted.news,
    p_messages: wanted.messages,
    p_message_text: wanted.message_text,
  });
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
