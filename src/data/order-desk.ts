/** All orders, for admins. Each read and each change is recorded in the audit log. */
import * as v from 'valibot';
import type { OrderFilter, PAYMENT_METHODS } from '#domain/order.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { readAdminList } from './admin-lists.ts';
import { listedOrder, type OrderFile, orderEntries, orderFile } from './orders.ts';
import { sessionsLeft } from './session-grants.ts';

/** A page of all orders. */
export const listAllOrders = (db: Db, filter: OrderFilter, limit?: number) =>
  readAdminList(db, 'admin_orders', listedOrder, filter, limit);

export const deskOrder = v.object({
  ...orderEntries,
  /** Null if the account was deleted. */
  buyer: v.nullable(v.object({ id: v.string(), email: v.string(), name: v.nullable(v.string()) })),
  /** The program that its seats are in. */
  program_id: v.nullable(v.string()),
  /** What its business can use; null for a group. */
  sessions_left: v.nullable(sessionsLeft),
});
export type DeskOrder = v.InferOutput<typeof deskOrder>;

/** An order with everything that belongs to it. */
export const getAnyOrder = (db: Db, id: string): Promise<DeskOrder> =>
  rpc(db, 'admin_get_order', deskOrder, { p_id: id });

/** Opens the file of a purchase order: its link (getOrderFileLink) works for two minutes. */
export const openOrderFile = (db: Db, { id }: OrderFile): Promise<OrderFile> =>
  rpc(db, 'open_order_file', orderFile, { p_id: id });

/** Quotes an order, or quotes it again. Amounts are minor units. */
export const quoteOrder = (
  db: Db,
  id: string,
  said: {
    quantity: number;
    unitMinor: number;
    setupMinor: number;
    taxExempt: boolean;
    reason: string;
  },
): Promise<DeskOrder> =>
  rpc(db, 'quote_order_lines', deskOrder, {
    p_id: id,
    p_quantity: said.quantity,
    p_unit_minor: said.unitMinor,
    p_setup_minor: said.setupMinor,
    p_tax_exempt: said.taxExempt,
    p_reason: said.reason,
  });

/** Records a purchase order that came another way. */
export const recordPurchaseOrder = (db: Db, id: string, number: string, reason: string) =>
  rpc(db, 'record_purchase_order', deskOrder, {
    p_id: id,
    p_po_number: number,
    p_reason: reason,
  });

/** Confirms a purchase order with an invoice; its sessions can be used from then on. */
export const invoiceOrder = (db: Db, id: string, reason: string): Promise<DeskOrder> =>
  rpc(db, 'invoice_order', deskOrder, { p_id: id, p_reason: reason });

/** Records a payment for an invoice, once per id. Throws `conflict` if someone else has. */
export const recordPayment = (
  db: Db,
  id: string,
  orderId: string,
  said: {
    method: Exclude<(typeof PAYMENT_METHODS)[number], 'card'>;
    amountMinor: number;
    /** What was open when the admin looked. */
    openMinor: number;
    /** A date, `2026-11-28`. */
    receivedOn: string;
    reason: string;
  },
): Promise<DeskOrder> =>
  rpc(db, 'record_payment', deskOrder, {
    p_id: id,
    p_order_id: orderId,
    p_method: said.method,
    p_amount_minor: said.amountMinor,
    p_open_minor: said.openMinor,
    p_received_on: said.receivedOn,
    p_reason: said.reason,
  });

/** Cancels an order, or voids its invoice, if nothing was paid. The buyer reads the reason. */
export const voidOrder = (db: Db, id: string, reason: string): Promise<DeskOrder> =>
  rpc(db, 'void_order', deskOrder, { p_id: id, p_reason: reason });
