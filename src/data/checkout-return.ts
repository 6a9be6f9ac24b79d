import type { OrderState } from '#domain/order.ts';
import { toAppError } from '#lib/errors.ts';
import { isUuid } from '#lib/routing/uuid.ts';
import type { Db } from '#lib/supabase.ts';
import { getCheckoutState, openCheckout } from './checkout.ts';
import { getOrder, type Order } from './orders.ts';

type NoOrder =
  | { kind: 'signed-out' }
  /** It isn't theirs, or there's none: the page doesn't say which. */
  | { kind: 'unknown' }
  | { kind: 'unreachable'; message: string };
/** What the page of a return can know. */
export type CheckoutOutcome = ({ kind: 'order'; orderId: string } & CheckoutProgress) | NoOrder;
/** How far an order is that's paid by card. */
export interface CheckoutProgress {
  state: OrderState;
  /** The buyer has paid, and their bank is working on it. */
  isProcessing: boolean;
  /** A bank is holding what was paid, until it has decided who gets it. */
  isDisputed: boolean;
}
/** What the page of a purchase order's outcome can know. */
export type PurchaseOutcome = { kind: 'order'; order: Order } | NoOrder;

/** Reads something of an order that only its buyer can see, or says why that isn't possible. */
async function readAs<Found>(
  orderId: string | null,
  isSignedIn: boolean,
  read: (id: string) => Promise<Found>,
): Promise<Found | NoOrder> {
  if (!isSignedIn) return { kind: 'signed-out' };
  if (!orderId || !isUuid(orderId)) return { kind: 'unknown' };
  try {
    return await read(orderId);
  } catch (thrown) {
    const { kind, message } = toAppError(thrown);
    if (kind === 'not-found') return { kind: 'unknown' };
    return kind === 'signed-out' ? { kind: 'signed-out' } : { kind: 'unreachable', message };
  }
}

/** Asks the server how far an order is. */
const outcomeOf = (db: Db, orderId: string | null, isSignedIn: boolean): Promise<CheckoutOutcome> =>
  readAs(orderId, isSignedIn, async (id) => {
    const { state, is_processing, is_disputed } = await getCheckoutState(db, id);
    return {
      kind: 'order' as const,
      orderId: id,
      state,
      isProcessing: is_processing,
      isDisputed: is_disputed,
    };
  });

/** What became of the order by purchase order that an address names. */
export const purchaseFrom = (db: Db, url: URL, isSignedIn: boolean): Promise<PurchaseOutcome> =>
  readAs(url.searchParams.get('order'), isSignedIn, async (id) => ({
    kind: 'order' as const,
    order: await getOrder(db, id),
  }));

/**
 * What a return page shows. Its form, which is posted to the page itself, opens the payment page:
 * a link leads there, because browsers don't let a form's answer lead to another site.
 */
export async function returnFrom(db: Db, request: Request, isSignedIn: boolean) {
  const { pathname, search, searchParams } = new URL(request.url);
  const orderId = searchParams.get('order');
  let paymentUrl: string | null = null;
  let problem: string | null = null;
  if (request.method === 'POST' && isSignedIn && orderId && isUuid(orderId)) {
    try {
      paymentUrl = await openCheckout(db, orderId);
    } catch (thrown) {
      problem = toAppError(thrown).message;
    }
  }
  const outcome = await outcomeOf(db, orderId, isSignedIn);
  return { outcome, paymentUrl, problem, here: pathname + search };
}
