/** The steps of an engagement that its coach takes. */
import type { ContactChannel } from '#domain/engagement-text.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** A coach accepts a request. Idempotent. Throws `conflict` if someone else has it by now. */
export const acceptClient = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'accept_client', ignored, { p_engagement_id: engagementId });

/** A coach declines a request, with a reason for the admins, who look for someone else. */
export const declineClient = (db: Db, engagementId: string, reason: string): Promise<void> =>
  rpc(db, 'decline_client', ignored, { p_engagement_id: engagementId, p_reason: reason });

/** Records that a coach tried to reach an owner. Idempotent by id. */
export const logContact = (
  db: Db,
  contact: {
    id: string;
    engagementId: string;
    channel: ContactChannel;
    reached: boolean;
    note: string;
    /** ISO format; now if it's left out. */
    at?: string;
  },
): Promise<void> =>
  rpc(db, 'log_contact', ignored, {
    p_id: contact.id,
    p_engagement_id: contact.engagementId,
    p_channel: contact.channel,
    p_reached: contact.reached,
    p_note: contact.note,
    ...(contact.at === undefined ? {} : { p_at: contact.at }),
  });

/** Throws `conflict` before enough attempts over enough days, and says what's missing. */
export const markUnreachable = (db: Db, engagementId: string): Promise<void> =>
  rpc(db, 'mark_unreachable', ignored, { p_engagement_id: engagementId });

/** A coach, or an admin, ends coaching with a summary that the owner reads. Idempotent. */
export const completeCoaching = (db: Db, engagementId: string, summary: string): Promise<void> =>
  rpc(db, 'complete_coaching', ignored, { p_engagement_id: engagementId, p_summary: summary });
