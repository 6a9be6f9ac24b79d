/** What people tell us: how to reach them, which emails they want, who they are. */
import * as v from 'valibot';
import { settle } from '#lib/errors.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Profile } from '#lib/schemas.ts';
import type { Db } from '#lib/supabase.ts';

export const notifications = v.object({
  /** What one set out to do and when it is due. */
  reminders: v.boolean(),
  /** What others do in a business. */
  news: v.boolean(),
  /** Messages that stay unread. */
  messages: v.boolean(),
  /** Whether those emails show what was written; off: only who wrote. */
  message_text: v.boolean(),
});
export type Notifications = v.InferOutput<typeof notifications>;

/** What people have said about themselves; null or empty where they haven't. */
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
  /** IANA; null while neither the person nor a browser of theirs has said it. */
  time_zone: v.nullable(v.string()),
  /** BCP 47, best first. */
  languages: v.array(v.string()),
  /** Path in the bucket `avatars`. */
  avatar_path: v.nullable(v.string()),
  notifications: notifications,
  /** Null where nothing was said. */
  demographics: v.nullable(demographics),
});
export type OwnProfile = v.InferOutput<typeof ownProfile>;

/** The profile of the person who is signed in. */
export async function getProfile(db: Db): Promise<OwnProfile> {
  return rpc(db, 'get_profile', ownProfile);
}

/** Saves what the person who is signed in says of themselves; what is left out stays as it was. */
export async function saveProfile(db: Db, userId: string, input: Partial<Profile>): Promise<void> {
  const { fullName, preferredName, phone, timeZone, languages } = input;
  const answer = await db
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
  settle(answer);
}

/** Saves which emails the person wants; anything left out stays as it was. */
export async function saveNotifications(db: Db, wanted: Partial<Notifications>): Promise<void> {
  await rpc(db, 'save_notification_settings', ignored, {
    ...(wanted.reminders !== undefined && { p_reminders: wanted.reminders }),
    ...(wanted.news !== undefined && { p_news: wanted.news }),
    ...(wanted.messages !== undefined && { p_messages: wanted.messages }),
    ...(wanted.message_text !== undefined && { p_message_text: wanted.message_text }),
  });
}

/** Stores who the person is; nothing said takes away what was. */
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
