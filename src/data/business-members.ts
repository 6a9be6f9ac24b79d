/** Who belongs to a business, and who is invited to. */
import type { MemberRole } from '#domain/business.ts';
import { dataOf } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

export interface Member {
  user_id: string;
  name: string | null;
  role: MemberRole;
  joined_at: string;
}

export interface Invitation {
  id: string;
  address: string;
  sent_at: string;
  times_sent: number;
  expires_at: string;
  expired: boolean;
}

/** An open invitation to the person who looks. */
export interface OwnInvitation {
  id: string;
  business: string;
  invited_by: string | null;
  expires_at: string;
}

/** What a mailed link is for the person who opened it. */
export type InvitationView =
  | { state: 'unknown' }
  /** The mail was sent to another address than theirs, or theirs is not confirmed. */
  | { state: 'other-address' | 'unconfirmed'; your_address: string }
  | {
      state: 'open' | 'accepted' | 'over' | 'expired';
      business_id: string;
      business: string;
      invited_by: string | null;
      expires_at: string;
    };

/** Invites an address; the same answer whether it has an account or not. Throws `invalid`, `conflict`, `rate-limited`. */
export async function inviteMember(
  db: Db,
  invitation: { id: string; businessId: string; address: string },
): Promise<Invitation> {
  const made = await db.rpc('invite_member', {
    p_id: invitation.id,
    p_business_id: invitation.businessId,
    p_address: invitation.address,
  });
  return dataOf(made) as unknown as Invitation;
}

/** Sends an invitation again; its earlier link no longer works. Throws `rate-limited`. */
export async function resendInvitation(db: Db, id: string): Promise<Invitation> {
  return dataOf(await db.rpc('resend_invitation', { p_id: id })) as unknown as Invitation;
}

export async function revokeInvitation(db: Db, id: string): Promise<void> {
  dataOf(await db.rpc('revoke_invitation', { p_id: id }));
}

export async function getInvitation(db: Db, token: string): Promise<InvitationView> {
  return dataOf(await db.rpc('get_invitation', { p_token: token })) as unknown as InvitationView;
}

/** Joins the business of an invitation. Throws `denied` and `conflict` where it does not work (any more). */
export async function acceptInvitation(db: Db, token: string): Promise<{ business_id: string }> {
  const joined = await db.rpc('accept_invitation', { p_token: token });
  return dataOf(joined) as unknown as { business_id: string };
}

export async function declineInvitation(db: Db, token: string): Promise<void> {
  dataOf(await db.rpc('decline_invitation', { p_token: token }));
}

/** Joins by an invitation that stands in the list. Throws `denied` and `conflict` like the link. */
export async function acceptOwnInvitation(db: Db, id: string): Promise<{ business_id: string }> {
  const joined = await db.rpc('accept_my_invitation', { p_id: id });
  return dataOf(joined) as unknown as { business_id: string };
}

export async function declineOwnInvitation(db: Db, id: string): Promise<void> {
  dataOf(await db.rpc('decline_my_invitation', { p_id: id }));
}

export async function removeMember(db: Db, businessId: string, userId: string): Promise<void> {
  dataOf(await db.rpc('remove_member', { p_business_id: businessId, p_user_id: userId }));
}

export async function leaveBusiness(db: Db, businessId: string): Promise<void> {
  dataOf(await db.rpc('leave_business', { p_business_id: businessId }));
}

/** Makes a member the owner; the present one stays as a member. */
export async function handOverBusiness(db: Db, businessId: string, userId: string): Promise<void> {
  dataOf(await db.rpc('hand_over_business', { p_business_id: businessId, p_user_id: userId }));
}
