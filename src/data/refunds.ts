/** What admins do with the money of an order that was paid, and with its membership. */
import * as v from 'valibot';
import { PAYMENT_METHODS } from '#domain/order.ts';
import { REFUND_UNITS } from '#domain/refund.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { type DeskOrder, deskOrder } from './order-desk.ts';

const basis = v.array(
  v.object({
    payment_id: v.string(),
    method: v.picklist(PAYMENT_METHODS),
    amount_minor: v.number(),
    received_at: v.string(),
    /** What can be refunded of it. */
    open_minor: v.number(),
    disputed_minor: v.number(),
    unit: v.picklist(REFUND_UNITS),
    units: v.number(),
    unused: v.number(),
    needed: v.number(),
    base_minor: v.number(),
    gone_minor: v.number(),
  }),
);
export type RefundablePayment = v.InferOutput<typeof basis>[number];

/** The payments of an order and what can be refunded of each, newest first. */
export const listRefundable = (db: Db, orderId: string): Promise<RefundablePayment[]> =>
  rpc(db, 'admin_refund_basis', basis, { p_order_id: orderId });

/** Refunds a payment or part of it, once per id. The buyer reads the reason. */
export const refundPayment = (
  db: Db,
  id: string,
  orderId: string,
  said: { paymentId: string; amountMinor: number; reason: string },
): Promise<DeskOrder> =>
  rpc(db, 'refund_payment', deskOrder, {
    p_id: id,
    p_order_id: orderId,
    p_payment_id: said.paymentId,
    p_amount_minor: said.amountMinor,
    p_reason: said.reason,
  });

/** Has a membership ended, now or with the period that's paid for. The member reads the reason. */
export const endMembership = (
  db: Db,
  orderId: string,
  when: 'now' | 'period',
  reason: string,
): Promise<DeskOrder> =>
  rpc(db, 'end_membership', deskOrder, { p_order_id: orderId, p_when: when, p_reason: reason });
