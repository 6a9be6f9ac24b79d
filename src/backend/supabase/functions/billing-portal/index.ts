import Stripe from 'stripe';
import { orderIdOf } from '../_shared/checkout.ts';
import { queryOne } from '../_shared/connection.ts';
import { asCaller, refusalFor } from '../_shared/person.ts';
import { answer, refuseOtherMethods } from '../_shared/requests.ts';
import { siteUrl } from '../_shared/settings.ts';
import { NO_CARDS, stripe } from '../_shared/stripe.ts';

/**
 * Opens the payment company's page for a membership that the caller pays for, where they change the
 * card, cancel and resume: {order_id} → {url}.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const client = stripe();
    if (!client) return answer(503, NO_CARDS);
    const orderId = await orderIdOf(request);
    if (!orderId) return answer(422, 'Name an order.');
    try {
      const found = await asCaller(
        request,
        (db) =>
          queryOne<{ customer: string }>(db)`
          select public.get_billing_customer(${orderId}) as customer`,
      );
      if (!found) return answer(401, 'Sign in first.');
      const { url } = await client.billingPortal.sessions.create({
        customer: found.customer,
        return_url: `${siteUrl()}/dashboard/orders/${orderId}`,
      });
      return Response.json({ url });
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeError) {
        // biome-ignore lint/suspicious/noConsole: on Supabase the console is the function's log
        console.error(`Stripe refused a billing portal: ${thrown.type} ${thrown.code ?? ''}`);
        return answer(503, 'We can’t open the payment company’s page right now. Try again later.');
      }
      return refusalFor(thrown);
    }
  },
};
