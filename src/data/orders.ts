/** Orders as their buyers see them. */
import * as v from 'valibot';
import type { ListPage } from '#domain/list.ts';
import {
  MEMBERSHIP_STATES,
  ORDER_METHODS,
  ORDER_STATES,
  type OwnOrderFilter,
  PAYMENT_METHODS,
  PRICE_PERIODS,
  REFUND_STATES,
} from '#domain/order.ts';
import { linkToFile, uploadFile } from '#lib/files/stored-files.ts';
import type { ReadyFile } from '#lib/files/uploads.ts';
import { rpc } from '#lib/rpc.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';
import { listedRow } from './admin-lists.ts';
import { placesAround } from './keyset.ts';

const text = v.nullable(v.string());

export const orderFile = v.object({
  id: v.string(),
  name: v.string(),
  /** Its media type. */
  type: v.string(),
  /** Bytes. */
  size: v.number(),
  path: v.string(),
});
export type OrderFile = v.InferOutput<typeof orderFile>;

/** Amounts are whole minor units of `currency`. */
export const orderEntries = {
  id: v.string(),
  method: v.picklist(ORDER_METHODS),
  state: v.picklist(ORDER_STATES),
  state_since: v.string(),
  created_at: v.string(),
  currency: v.string(),
  subtotal_minor: v.number(),
  tax_minor: v.number(),
  total_minor: v.number(),
  paid_minor: v.number(),
  refunded_minor: v.number(),
  disputed_minor: v.number(),
  /** Paid with test money. */
  is_test: v.boolean(),
  quote_number: text,
  quoted_at: text,
  quote_expires_at: text,
  po_number: text,
  po_received_at: text,
  invoice_number: text,
  invoiced_at: text,
  /** A date, `2026-12-25`. */
  invoice_due_on: text,
  note: text,
  tax_exempt: v.boolean(),
  billing: v.object({ name: text, organization: text, email: text, address: text, region: text }),
  /** Whose sessions it buys; null for a group. */
  business: v.nullable(v.object({ id: v.string(), name: v.string() })),
  lines: v.array(
    v.object({
      plan_key: text,
      every: v.picklist(PRICE_PERIODS),
      description: v.string(),
      quantity: v.number(),
      unit_minor: v.number(),
      amount_minor: v.number(),
      tax_name: text,
      /** A share: 0.04875. */
      tax_rate: v.number(),
      tax_minor: v.number(),
    }),
  ),
  /** Its steps, the latest 100, oldest first. */
  events: v.array(
    v.object({
      at: v.string(),
      from_state: v.nullable(v.picklist(ORDER_STATES)),
      to_state: v.picklist(ORDER_STATES),
      note: text,
      by: v.picklist(['system', 'buyer', 'staff']),
    }),
  ),
  payments: v.array(
    v.object({
      id: v.string(),
      method: v.picklist(PAYMENT_METHODS),
      amount_minor: v.number(),
      currency: v.string(),
      received_at: v.string(),
      period_starts_at: text,
      period_ends_at: text,
      note: text,
      /** What went back of it, and what a bank is holding. */
      back_minor: v.number(),
      disputed_minor: v.number(),
    }),
  ),
  refunds: v.array(
    v.object({
      amount_minor: v.number(),
      state: v.picklist(REFUND_STATES),
      at: v.string(),
      reason: text,
    }),
  ),
  /** The purchase order as files, as they were sent. */
  files: v.array(orderFile),
  membership: v.nullable(
    v.object({
      state: v.picklist(MEMBERSHIP_STATES),
      period_ends_at: text,
      ends_with_period: v.boolean(),
    }),
  ),
  /** What it gave its business; null for a group. */
  sessions: v.nullable(v.object({ given: v.number(), used: v.number(), ends_at: text })),
};
export const order = v.object(orderEntries);
export type Order = v.InferOutput<typeof order>;

export const listedOrder = listedRow({
  state: v.picklist(ORDER_STATES),
  method: v.picklist(ORDER_METHODS),
  created_at: v.string(),
  currency: v.string(),
  total_minor: v.number(),
  paid_minor: v.number(),
  is_test: v.boolean(),
  quote_number: text,
  invoice_number: text,
  invoice_due_on: text,
  overdue: v.boolean(),
  /** The organization, or else the name or the address. */
  buyer: text,
  email: text,
  /** The business's name; null for a group. */
  business: text,
  /** Its first line. */
  what: text,
});
export type ListedOrder = v.InferOutput<typeof listedOrder>;

const orderPage = v.object({
  rows: v.array(listedOrder),
  more: v.boolean(),
  count: v.nullable(v.object({ total: v.number(), at_least: v.boolean() })),
});

/** A page of the caller's orders, newest first. @param limit at most 500; by default 25 */
export async function listOrders(
  db: Db,
  { place }: OwnOrderFilter,
  limit?: number,
): Promise<ListPage<ListedOrder>> {
  const { rows, more, count } = await rpc(db, 'list_orders', orderPage, {
    ...(place && { p_place: { ...place } }),
    ...(limit !== undefined && { p_limit: limit }),
  });
  return {
    rows,
    ...placesAround(rows, place, more),
    count: count && { total: count.total, atLeast: count.at_least },
  };
}

/** An order of the caller. Throws `not-found` for everyone else's. */
export const getOrder = (db: Db, id: string): Promise<Order> =>
  rpc(db, 'get_order', order, { p_id: id });

export interface NewOrder {
  /** Null: for a group. */
  business_id: string | null;
  plan: string;
  every: (typeof PRICE_PERIODS)[number];
  quantity: number;
  method: (typeof ORDER_METHODS)[number];
  /** The price of one that the buyer saw; null if it's quoted. */
  expected_minor: number | null;
  name: string;
  organization: string;
  /** Null: the account's. */
  email: string | null;
  address: string;
  /** One of US_STATES: US-NM. Tax depends on it. */
  region: string;
  tax_exempt: boolean;
  note: string;
}

/**
 * Places an order, once per id.
 * @throws AppError `conflict` with the field `price` if the price has changed, `invalid` with a field
 */
export const createOrder = (db: Db, id: string, said: NewOrder): Promise<Order> =>
  rpc(db, 'create_order', order, { p_id: id, p_order: { ...said } });

/**
 * Answers a quote, or adds the file to an answer. Throws `conflict` if the quote has expired, or
 * comes to something else now.
 * @param fileId a file that createOrderFile has stored; null for none
 */
export const sendPurchaseOrder = (
  db: Db,
  quote: Pick<Order, 'id' | 'total_minor'>,
  number: string,
  fileId: string | null,
): Promise<Order> =>
  rpc(db, 'send_purchase_order', order, {
    p_id: quote.id,
    p_po_number: number,
    p_total_minor: quote.total_minor,
    ...(fileId ? { p_file_id: fileId } : {}),
  });

/** Asks for an expired quote again: at today's price, or from an admin where one made it. */
export const requestQuote = (db: Db, id: string): Promise<Order> =>
  rpc(db, 'request_quote', order, { p_id: id });

const FILES = 'order-files';

/**
 * Announces the file of a purchase order and uploads it; sendPurchaseOrder sends it. Trying again
 * with the same id resumes where it stopped. Throws an AppError.
 */
export async function createOrderFile(
  db: BrowserDb,
  orderId: string,
  { id, file, type, onProgress, signal }: ReadyFile,
): Promise<void> {
  const { path } = await rpc(db, 'begin_order_file', orderFile, {
    p_id: id,
    p_order_id: orderId,
    p_name: file.name,
    p_type: type,
    p_size: file.size,
  });
  await uploadFile(db, { bucket: FILES, path, body: file, type, onProgress, signal });
}

/** A download link, valid for a minute. An admin has to open the file first. Throws an AppError. */
export const getOrderFileLink = (db: Db, file: OrderFile): Promise<string> =>
  linkToFile(db, FILES, file);

/** Cancels an order that isn't paid or invoiced. */
export const cancelOrder = (db: Db, id: string): Promise<Order> =>
  rpc(db, 'cancel_order', order, { p_id: id });
