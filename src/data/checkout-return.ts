import type { OrderState } from '#domain/order.ts';
import { toAppError } from '#lib/errors.ts';
import { isUuid } from '#lib/routing/uuid.ts';
import type { Db } from '#lib/supabase.ts';
import { getCheckoutState, openCheckout } from './checkout.ts';

/** What the page of a return can know. */
export type CheckoutOutcome =
  | { kind: 'order'; state: OrderState }
  | { kind: 'signed-out' }
  /** It isn't theirs, or there's none: the page doesn't say which. */
  | { kind: 'unknown' }
  | { kind: 'unreachable'; message: string };

/** Asks the server how far an order is. */
async function outcomeOf(
  db: Db,
  orderId: string | null,
  isSignedIn: boolean,
): Promise<CheckoutOutcome> {
  if (!isSignedIn) return { kind: 'signed-out' };
  if (!orderId || !isUuid(orderId)) return { kind: 'unknown' };
  try {
    return { kind: 'order', state: await getCheckoutState(db, orderId) };
  } catch (thrown) {
    const { kind, message } = toAppError(thrown);
    if (kind === 'not-found') return { kind: 'unknown' };
    return kind === 'signed-out' ? { kind: 'signed-out' } : { kind: 'unreachable', message };
  }
}

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
