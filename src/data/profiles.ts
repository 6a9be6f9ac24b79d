/** The user's profile: contact details, email preferences and demographics. */
import * as v from 'valibot';
import { settle } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Profile } from '#lib/schemas/account.ts';
import type { Db } from '#lib/supabase.ts';

export const notifications = v.object({
  /** Reminders of actions the user planned and their due dates. */
  reminders: v.boolean(),
  /** What other members do in a business. */
  news: v.boolean(),
  /** Emails about unread messages. */
  messages: v.boolean(),
  /** Whether those emails include the messages' text, or only who wrote. */
  message_text: v.boolean(),
  /** Steps of a coaching, its sessions and what comes of them. */
  coaching: v.boolean(),
});
export type Notifications = v.InferOutput<typeof notifications>;

/** What the user has said about themselves; null or empty where they haven't. */
export const demographics = v.object({
  age_group: v.nullable(v.string()),
  gender: v.nullable(v.string()),
  origins: v.array(v.string()),
  veteran: v.nullable(v.boolean()),
  disability: v.nullable(v.boolean()),
  place: v.nullable(v.string()),
});
export type Demographics = v.InferOutput<typeof demographics>;

export const ownProfile = v.object({
  full_name: v.string(),
  preferred_name: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  /** IANA name; null until the user chooses one or a sign-in takes the browser's. */
  time_zone: v.nullable(v.string()),
  /** The language of the quiz's results. */
  locale: v.string(),
  /** BCP 47, best first. */
  languages: v.array(v.string()),
  /** Path in the bucket `avatars`. */
  avatar_path: v.nullable(v.string()),
  notifications: notifications,
  /** Null if the user has said nothing. */
  demographics: v.nullable(demographics),
});
export type OwnProfile = v.InferOutput<typeof ownProfile>;

/** The signed-in user's profile. */
export async function getProfile(db: Db): Promise<OwnProfile> {
  return rpc(db, 'get_profile', ownProfile);
}

/** Saves the given fields of the signed-in user's profile; the others keep their values. */
export async function saveProfile(db: Db, userId: string, input: Partial<Profile>): Promise<void> {
  const { fullName, preferredName, phone, timeZone, locale, languages } = input;
  const answer = await db
    .from('profiles')
    .update({
      ...(fullName !== undefined && { full_name: fullName }),
      ...(preferredName !== undefined && { preferred_name: preferredName || null }),
      ...(phone !== undefined && { phone: phone || null }),
      ...(timeZone !== undefined && { time_zone: timeZone || null }),
      ...(locale !== undefined && { locale }),
      ...(languages !== undefined && { languages }),
    })
    .eq('user_id', userId)
    .select('user_id')
    .single();
  settle(answer);
}

/** Saves which emails the user wants; settings left out keep their values. */
export async function saveNotifications(db: Db, wanted: Partial<Notifications>): Promise<void> {
  await rpc(db, 'save_notification_settings', ignored, {
    ...(wanted.reminders !== undefined && { p_reminders: wanted.reminders }),
    ...(wanted.news !== undefined && { p_news: wanted.news }),
    ...(wanted.messages !== undefined && { p_messages: wanted.messages }),
    ...(wanted.message_text !== undefined && { p_message_text: wanted.message_text }),
    ...(wanted.coaching !== undefined && { p_coaching: wanted.coaching }),
  });
}

/** Replaces the user's demographics; empty ones delete what was stored. */
export async function saveDemographics(db: Db, said: Demographics): Promise<void> {
  await rpc(db, 'save_demographics', ignored, {
    p_age_group: said.age_group,
    p_gender: said.gender,
    p_origins: said.origins,
    p_veteran: said.veteran,
    p_disability: said.disability,
    p_place: said.place,
  });
}
