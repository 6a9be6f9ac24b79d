/** The payment company's pages for an order, and how far paying it by card is. */
import * as v from 'valibot';
import { ORDER_STATES } from '#domain/order.ts';
import type { Db } from '#lib/supabase.ts';
import { callFunction } from './functions.ts';

/** Calls a function about an order. @throws AppError, with the function's own sentence */
const ask = <Expected extends v.GenericSchema>(
  db: Db,
  name: string,
  orderId: string,
  schema: Expected,
) => callFunction(db, name, { order_id: orderId }, schema);

/** Opens the payment page of an order of the caller, or the one that's open; its address. */
export const openCheckout = async (db: Db, orderId: string): Promise<string> =>
  (await ask(db, 'checkout', orderId, v.object({ url: v.string() }))).url;

/** Opens the payment company's page for a membership that the caller pays for; its address. */
export const openBillingPortal = async (db: Db, orderId: string): Promise<string> =>
  (await ask(db, 'billing-portal', orderId, v.object({ url: v.string() }))).url;

const checkoutState = v.object({
  state: v.picklist(ORDER_STATES),
  /** The buyer has paid, and their bank is working on it. */
  is_processing: v.boolean(),
  /** A bank is holding money that was paid, until it has decided who gets it. */
  is_disputed: v.boolean(),
});

/**
 * How far an order of the caller is, after asking the payment company if it's being paid.
 * @throws AppError `not-found` for everyone else's
 */
export const getCheckoutState = (
  db: Db,
  orderId: string,
): Promise<v.InferOutput<typeof checkoutState>> =>
  ask(db, 'checkout-status', orderId, checkoutState);
