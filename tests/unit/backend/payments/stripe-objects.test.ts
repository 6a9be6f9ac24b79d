import { readFile } from 'node:fs/promises';
import Stripe from 'stripe';
import { afterAll, describe, expect, test } from 'vitest';
import { openStandIn } from '#backend/local/payments/stand-in.ts';
import { createTestDatabase } from '../../../fixtures/database.ts';
import { differences, STRIPE_FIELDS } from '../../../fixtures/stripe-fields.ts';
import { SITE } from '../gateway/site.ts';

/** A payment company, and how someone pays there. */
interface Company {
  name: string;
  client: Stripe;
  /** Someone pays an order once; the payment intent. */
  pay: (orderId: string) => Promise<string>;
  /** Someone subscribes; the subscription. */
  subscribe: (orderId: string) => Promise<string>;
}

const database = await createTestDatabase();
const standIn = await openStandIn({
  db: database.db,
  siteUrl: SITE,
  secret: 'a-secret-of-this-test',
  deliver: async () => Response.json({}),
  log: () => {},
});
afterAll(async () => {
  await standIn.close();
  await database.drop();
});

const sessionFor = (orderId: string, every?: 'month'): Stripe.Checkout.SessionCreateParams => {
  const metadata = { order_id: orderId };
  const product_data = { name: 'Session pack' };
  const price = { currency: 'usd', unit_amount: 28_500, product_data };
  return {
    line_items: [
      { quantity: 1, price_data: { ...price, ...(every && { recurring: { interval: every } }) } },
    ],
    metadata,
    client_reference_id: orderId,
    ...(every
      ? { mode: 'subscription', subscription_data: { metadata } }
      : {
          mode: 'payment',
          payment_intent_data: { metadata },
          customer_creation: 'always',
        }),
    success_url: `${SITE}/checkout/success?order=${orderId}`,
    cancel_url: `${SITE}/checkout/cancel?order=${orderId}`,
  };
};

const choose = (url: string, action: string) =>
  standIn.page(new Request(url, { method: 'POST', body: new URLSearchParams({ action }) }), {
    remoteAddress: '127.0.0.1',
  });

function standInCompany(): Company {
  const { hostname, port } = new URL(standIn.settings.STRIPE_API_BASE);
  const options = { host: hostname, port, protocol: 'http', telemetry: false } as const;
  const client = new Stripe(standIn.settings.STRIPE_SECRET_KEY, options);
  const checkOut = async (orderId: string, every?: 'month') => {
    const { id, url } = await client.checkout.sessions.create(sessionFor(orderId, every));
    await choose(url ?? '', 'pay');
    return client.checkout.sessions.retrieve(id);
  };
  return {
    name: 'the stand-in',
    client,
    pay: async (orderId) => String((await checkOut(orderId)).payment_intent),
    subscribe: async (orderId) => String((await checkOut(orderId, 'month')).subscription),
  };
}

/** Stripe's test mode, where people pay by its test cards. */
function testMode(key: string): Company {
  const client = new Stripe(key, { telemetry: false });
  const card = 'pm_card_visa';
  return {
    name: 'Stripe’s test mode',
    client,
    async pay(orderId) {
      const intent = await client.paymentIntents.create({
        amount: 28_500,
        currency: 'usd',
        payment_method: card,
        confirm: true,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { order_id: orderId },
      });
      return intent.id;
    },
    async subscribe(orderId) {
      const customer = await client.customers.create({ payment_method: card });
      const [method] = (await client.paymentMethods.list({ customer: customer.id })).data;
      const product_data = { name: 'Membership' };
      const price = await client.prices.create({
        currency: 'usd',
        unit_amount: 28_500,
        recurring: { interval: 'month' },
        product_data,
      });
      const subscription = await client.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        metadata: { order_id: orderId },
        ...(method && { default_payment_method: method.id }),
      });
      return subscription.id;
    },
  };
}

const key = process.env.STRIPE_TEST_SECRET_KEY;
const companies = [standInCompany(), ...(key ? [testMode(key)] : [])];

describe.each(companies)('At $name', ({ client, pay, subscribe }) => {
  const order = () => crypto.randomUUID();

  test.each([undefined, 'month'] as const)(
    'a checkout is opened once for a key (%s)',
    async (every) => {
      const id = order();
      const options = { idempotencyKey: `checkout:${id}:1:new` };
      const session = await client.checkout.sessions.create(sessionFor(id, every), options);
      expect(differences('checkout.session', session)).toEqual([]);
      expect(session).toMatchObject({ status: 'open', amount_total: 28_500, livemode: false });
      const again = await client.checkout.sessions.create(sessionFor(id, every), options);
      expect(again.id).toBe(session.id);
      const read = await client.checkout.sessions.retrieve(session.id, {
        expand: ['subscription.latest_invoice'],
      });
      expect(differences('checkout.session', read)).toEqual([]);
      expect(read.metadata).toEqual({ order_id: id });
    },
  );

  test('a checkout that’s open is closed once', async () => {
    const { id } = await client.checkout.sessions.create(sessionFor(order()));
    const closed = await client.checkout.sessions.expire(id);
    expect(differences('checkout.session', closed)).toEqual([]);
    expect(closed).toMatchObject({ id, status: 'expired', url: null });
    const refused = { type: 'StripeInvalidRequestError' };
    await expect(client.checkout.sessions.expire(id)).rejects.toMatchObject(refused);
    await expect(client.checkout.sessions.expire('cs_test_missing')).rejects.toMatchObject({
      ...refused,
      code: 'resource_missing',
    });
  });

  test('a payment is refunded in parts, once for a key, and never more than was paid', async () => {
    const intent = await pay(order());
    const id = order();
    const refund = () =>
      client.refunds.create(
        {
          payment_intent: intent,
          amount: 9_500,
          reason: 'requested_by_customer',
          metadata: { refund_id: id },
        },
        { idempotencyKey: `refund:${id}` },
      );
    const first = await refund();
    expect(differences('refund', first)).toEqual([]);
    expect(first).toMatchObject({ amount: 9_500, metadata: { refund_id: id } });
    expect((await refund()).id).toBe(first.id);
    const { data } = await client.refunds.list({ payment_intent: intent, limit: 100 });
    expect(data.map((each) => each.id)).toEqual([first.id]);
    const more = client.refunds.create({ payment_intent: intent, amount: 19_001 });
    await expect(more).rejects.toMatchObject({ type: 'StripeInvalidRequestError' });
  });

  test('a membership is billed, ends with its period, and then right away', async () => {
    const id = await subscribe(order());
    const subscription = await client.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
    expect(differences('subscription', subscription)).toEqual([]);
    const ends = await client.subscriptions.update(id, { cancel_at_period_end: true });
    expect(ends).toMatchObject({ status: 'active', cancel_at_period_end: true });
    const invoice = String(ends.latest_invoice);
    const payments = await client.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
    expect(payments.data.flatMap((each) => differences('invoice_payment', each))).toEqual([]);
    expect(payments.data[0]?.payment.payment_intent).toMatch(/^pi_/);
    const portal = await client.billingPortal.sessions.create({
      customer: String(ends.customer),
      return_url: `${SITE}/dashboard/orders`,
    });
    expect(differences('billing_portal.session', portal)).toEqual([]);
    const ended = await client.subscriptions.cancel(id);
    expect(differences('subscription', ended)).toEqual([]);
    expect(ended.status).toBe('canceled');
    expect((await client.subscriptions.retrieve(id)).status).toBe('canceled');
  });

  test('what isn’t there is said by its code', async () => {
    const missing = { code: 'resource_missing', type: 'StripeInvalidRequestError' };
    await expect(client.subscriptions.retrieve('sub_missing')).rejects.toMatchObject(missing);
    await expect(client.refunds.create({ payment_intent: 'pi_missing' })).rejects.toMatchObject(
      missing,
    );
    await expect(client.checkout.sessions.retrieve('cs_test_missing')).rejects.toMatchObject(
      missing,
    );
  });
});

test('What the stand-in’s events carry has the fields of Stripe’s', async () => {
  const { client } = standInCompany();
  const act = async (every: 'month' | undefined, actions: string[]) => {
    const { url } = await client.checkout.sessions.create(sessionFor(crypto.randomUUID(), every));
    for (const action of actions) await choose(url ?? '', action);
  };
  await act(undefined, ['pay', 'dispute', 'win', 'dispute', 'lose']);
  await act(undefined, ['later', 'fail']);
  await act(undefined, ['expire']);
  await act('month', [
    'pay',
    'renew',
    'fail_renewal',
    'pay_failed',
    'cancel',
    'resume',
    'end',
    'refund',
  ]);
  const rows = await database.sql`select payload::jsonb as event from test_payments.events`;
  const wrong = rows.flatMap(({ event }) => [
    ...differences('event', event),
    ...differences(event.data.object.object, event.data.object),
  ]);
  expect(wrong).toEqual([]);
  const kinds = new Set(rows.map(({ event }) => event.data.object.object));
  expect([...kinds].sort()).toEqual(
    ['checkout.session', 'dispute', 'invoice', 'refund', 'subscription'].sort(),
  );
});

/** A file of Stripe's published objects, which isn't part of the project. */
const published = process.env.TRELLIS_STRIPE_FIXTURES;
for (const file of published ? [published] : []) {
  test('Stripe’s published objects have the fields that we read', async () => {
    const { resources } = JSON.parse(await readFile(file, 'utf8'));
    const wrong = Object.keys(STRIPE_FIELDS).flatMap((name) => differences(name, resources[name]));
    expect(wrong).toEqual([]);
  });
}
