import Stripe from 'stripe';
import * as v from 'valibot';
import { askAboutCheckout, orderIdOf } from '../_shared/checkout.ts';
import { queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { asCaller, refusalFor } from '../_shared/person.ts';
import { answer, refuseOtherMethods } from '../_shared/requests.ts';
import { siteUrl } from '../_shared/settings.ts';
import { NO_CARDS, stripe } from '../_shared/stripe.ts';

const started = v.object({
  order: v.object({
    id: v.string(),
    currency: v.string(),
    billing: v.object({ email: v.nullable(v.string()) }),
    lines: v.array(
      v.object({
        description: v.string(),
        every: v.picklist(['once', 'month', 'year']),
        quantity: v.number(),
        unit_minor: v.number(),
        tax_name: v.nullable(v.string()),
        tax_minor: v.number(),
      }),
    ),
  }),
  checkout_ref: v.nullable(v.string()),
  try: v.number(),
  customer_ref: v.nullable(v.string()),
});
type Started = v.InferOutput<typeof started>;

/** An order's lines as Stripe shows them, each tax as a line of its own. */
function lineItems({ order }: Started): Stripe.Checkout.SessionCreateParams.LineItem[] {
  const item = (name: string, minor: number, quantity: number, every: string) => ({
    quantity,
    price_data: {
      currency: order.currency.toLowerCase(),
      unit_amount: minor,
      product_data: { name },
      ...(every !== 'once' && {
        recurring: { interval: every === 'year' ? ('year' as const) : ('month' as const) },
      }),
    },
  });
  return order.lines.flatMap((line) => [
    item(line.description, line.unit_minor, line.quantity, line.every),
    ...(line.tax_minor > 0 ? [item(line.tax_name ?? 'Tax', line.tax_minor, 1, line.every)] : []),
  ]);
}

/** Opens a session for an order. The same try gets the same session, however often it's asked for. */
async function openSession(client: Stripe, asked: Started): Promise<Stripe.Checkout.Session> {
  const { customer_ref: customer } = asked;
  try {
    return await createSession(client, asked, customer);
  } catch (thrown) {
    // A customer that this key doesn't know, such as one of test payments.
    const isUnknown =
      thrown instanceof Stripe.errors.StripeError && thrown.code === 'resource_missing';
    if (customer && isUnknown) return createSession(client, asked, null);
    throw thrown;
  }
}

function createSession(
  client: Stripe,
  asked: Started,
  customer: string | null,
): Promise<Stripe.Checkout.Session> {
  const { order } = asked;
  const metadata = { order_id: order.id };
  const isMembership = order.lines.some(({ every }) => every !== 'once');
  const email = order.billing.email;
  return client.checkout.sessions.create(
    {
      line_items: lineItems(asked),
      metadata,
      client_reference_id: order.id,
      ...(isMembership
        ? { mode: 'subscription', subscription_data: { metadata } }
        : {
            mode: 'payment',
            payment_intent_data: { metadata },
            ...(!customer && { customer_creation: 'always' }),
          }),
      ...(customer ? { customer } : email ? { customer_email: email } : {}),
      success_url: `${siteUrl()}/checkout/success?order=${order.id}`,
      cancel_url: `${siteUrl()}/checkout/cancel?order=${order.id}`,
    },
    { idempotencyKey: `checkout:${order.id}:${asked.try}:${customer ?? 'new'}` },
  );
}

/** Starts or continues paying an order; null if nobody is signed in. */
const start = (request: Request, orderId: string) =>
  asCaller(request, async (db) => {
    const row = await queryOne<{ started: unknown }>(db)`
      select public.start_checkout(${orderId}) as started`;
    return v.parse(started, row?.started);
  });

/** The address where an order is paid; null if that page is closed, which has been noted. */
async function addressFor(client: Stripe, asked: Started): Promise<string | null> {
  if (asked.checkout_ref) {
    const session = await askAboutCheckout(client, database(), asked.checkout_ref);
    if (session.status === 'complete') return session.success_url;
    return session.url;
  }
  const session = await openSession(client, asked);
  const row = await queryOne<{ kept: boolean }>(database())`
    select private.keep_checkout(${asked.order.id}, ${session.id}, ${!session.livemode}) as kept`;
  if (row?.kept) return session.url;
  // It was canceled meanwhile: nobody should pay there.
  await client.checkout.sessions.expire(session.id);
  return null;
}

/** Opens the checkout of an order of the caller: {order_id} → {url}, where it's paid by card. */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const client = stripe();
    if (!client) return answer(503, NO_CARDS);
    const orderId = await orderIdOf(request);
    if (!orderId) return answer(422, 'Name an order.');
    try {
      // Twice, because an open session can turn out to have expired; asking has noted that.
      for (let round = 0; round < 2; round++) {
        const asked = await start(request, orderId);
        if (!asked) return answer(401, 'Sign in first.');
        const url = await addressFor(client, asked);
        if (url) return Response.json({ url });
      }
      return answer(503, NO_CARDS);
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeError) {
        // biome-ignore lint/suspicious/noConsole: on Supabase the console is the function's log
        console.error(`Stripe refused a checkout: ${thrown.type} ${thrown.code ?? ''}`);
        return answer(503, NO_CARDS);
      }
      return refusalFor(thrown);
    }
  },
};
