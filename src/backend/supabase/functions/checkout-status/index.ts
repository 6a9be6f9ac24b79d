import * as v from 'valibot';
import { askAboutCheckout, orderIdOf } from '../_shared/checkout.ts';
import { queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { asCaller, refusalFor } from '../_shared/person.ts';
import { answer, refuseOtherMethods } from '../_shared/requests.ts';
import { stripe } from '../_shared/stripe.ts';

const checkout = v.nullable(
  v.object({
    state: v.string(),
    checkout_ref: v.nullable(v.string()),
    is_disputed: v.boolean(),
  }),
);

/**
 * The state of an order of the caller, after asking Stripe if it's still being paid: {order_id} →
 * {state, is_processing, is_disputed}: whether the buyer has paid and their bank is working on it, and
 * whether a bank is holding money that was paid.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const orderId = await orderIdOf(request);
    if (!orderId) return answer(422, 'Name an order.');
    const read = () =>
      asCaller(request, async (db) => {
        const row = await queryOne<{ checkout: unknown }>(db)`
          select public.get_checkout(${orderId}) as checkout`;
        return { checkout: v.parse(checkout, row?.checkout ?? null) };
      });
    try {
      const found = await read();
      if (!found) return answer(401, 'Sign in first.');
      if (!found.checkout) return answer(404, 'We can’t find this order.');
      const { state, checkout_ref: ref, is_disputed } = found.checkout;
      const client = stripe();
      if (!client || !ref || state !== 'pending') {
        return Response.json({ state, is_processing: false, is_disputed });
      }
      const session = await askAboutCheckout(client, database(), ref);
      const now = (await read())?.checkout ?? found.checkout;
      return Response.json({
        state: now.state,
        is_processing: now.state === 'pending' && session.status === 'complete',
        is_disputed: now.is_disputed,
      });
    } catch (thrown) {
      return refusalFor(thrown);
    }
  },
};
