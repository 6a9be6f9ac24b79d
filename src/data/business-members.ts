/** Members of a business, and invitations to join it. */
import * as v from 'valibot';
import { BUSINESS_ROLES } from '#domain/business.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

export const member = v.object({
  user_id: v.string(),
  name: v.nullable(v.string()),
  role: v.picklist(BUSINESS_ROLES),
  joined_at: v.string(),
});
export type Member = v.InferOutput<typeof member>;

export const invitation = v.object({
  id: v.string(),
  address: v.string(),
  sent_at: v.string(),
  times_sent: v.number(),
  expires_at: v.string(),
  expired: v.boolean(),
});
export type Invitation = v.InferOutput<typeof invitation>;

/** An open invitation to the user. */
export const ownInvitation = v.object({
  id: v.string(),
  business: v.string(),
  invited_by: v.nullable(v.string()),
  expires_at: v.string(),
  /** `owner`: an admin added the business, and whoever joins first owns it. */
  role: v.picklist(BUSINESS_ROLES),
});
export type OwnInvitation = v.InferOutput<typeof ownInvitation>;

/** What an emailed invitation link means for the user who opened it. */
export const invitationView = v.union([
  v.object({ state: v.literal('unknown') }),
  v.object({
    state: v.picklist(['other-address', 'unconfirmed']),
    your_address: v.string(),
  }),
  v.object({
    state: v.picklist(['open', 'accepted', 'over', 'expired']),
    business_id: v.string(),
    business: v.string(),
    invited_by: v.nullable(v.string()),
    expires_at: v.string(),
    role: v.picklist(BUSINESS_ROLES),
  }),
]);
export type InvitationView = v.InferOutput<typeof invitationView>;

/** Invites an address, with or without an account. Throws `invalid`, `conflict`, `rate-limited`. */
export const inviteMember = (
  db: Db,
  invited: { id: string; businessId: string; address: string },
) =>
  rpc(db, 'invite_member', invitation, {
    p_id: invited.id,
    p_business_id: invited.businessId,
    p_address: invited.address,
  });

/** Resends an invitation; the previous link stops working. Throws `rate-limited`. */
export const resendInvitation = (db: Db, id: string) =>
  rpc(db, 'resend_invitation', invitation, { p_id: id });

export const revokeInvitation = (db: Db, id: string) =>
  rpc(db, 'revoke_invitation', ignored, { p_id: id });

export const getInvitation = (db: Db, token: string) =>
  rpc(db, 'get_invitation', invitationView, { p_token: token });

/** Joins a business by emailed link. Throws `denied` or `conflict` if it isn't valid (anymore). */
export const acceptInvitation = (db: Db, token: string) =>
  rpc(db, 'accept_invitation', v.object({ business_id: v.string(), name: v.string() }), {
    p_token: token,
  });

export const declineInvitation = (db: Db, token: string) =>
  rpc(db, 'decline_invitation', ignored, { p_token: token });

/** Accepts an invitation from the list of businesses. Throws like {@link acceptInvitation}. */
export const acceptOwnInvitation = (db: Db, id: string) =>
  rpc(db, 'accept_my_invitation', v.object({ business_id: v.string(), name: v.string() }), {
    p_id: id,
  });

export const declineOwnInvitation = (db: Db, id: string) =>
  rpc(db, 'decline_my_invitation', ignored, { p_id: id });

export const removeMember = (db: Db, businessId: string, userId: string) =>
  rpc(db, 'remove_member', ignored, { p_business_id: businessId, p_user_id: userId });

export const leaveBusiness = (db: Db, businessId: string) =>
  rpc(db, 'leave_business', ignored, { p_business_id: businessId });

/** Makes a member the owner; the previous owner stays on as a member. */
export const handOverBusiness = (db: Db, businessId: string, userId: string) =>
  rpc(db, 'hand_over_business', ignored, { p_business_id: businessId, p_user_id: userId });
