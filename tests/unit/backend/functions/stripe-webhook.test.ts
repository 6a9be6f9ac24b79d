import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { asPerson } from '../../../fixtures/database.ts';
import { type GatewaySite, openSite } from '../gateway/site.ts';

const SECRET = 'whsec_of_this_test';
const signer = new Stripe('sk_test_of_this_test').webhooks;

let site: GatewaySite;
let buyer: { userId: string; business: string; role: 'authenticated' };
/** Answers which payment paid an invoice, all that the webhook asks Stripe. */
const invoicePayments = createServer((request, response) => {
  const invoice = new URL(request.url ?? '', 'http://localhost').searchParams.get('invoice');
  response.setHeader('content-type', 'application/json');
  const payment = { payment: { payment_intent: `pi_${invoice}` } };
  response.end(JSON.stringify({ object: 'list', data: [payment], has_more: false }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => invoicePayments.listen(0, '127.0.0.1', resolve));
  const { port } = invoicePayments.address() as AddressInfo;
  site = await openSite({
    functionSettings: {
      STRIPE_SECRET_KEY: 'sk_test_of_this_test',
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
  });
  const person = { email: 'buyer@example.test', fullName: 'Ann Alder', businessName: 'Alder' };
  const { id } = await createPerson(site.db, person);
  const [row] = await site.sql`
    select business_id from public.business_members where user_id = ${id}`;
  buyer = { userId: id, business: row?.business_id, role: 'authenticated' };
});
afterAll(async () => {
  await site.close();
  invoicePayments.close();
});

interface Sent {
  id: string;
  type: string;
  created: number;
  object: Record<string, unknown>;
}

/** Delivers an event as Stripe does, by default signed with our secret, now. */
function deliver(event: Sent, { secret = SECRET, age = 0 } = {}) {
  const { object, ...named } = event;
  const payload = JSON.stringify({ object: 'event', livemode: false, data: { object }, ...named });
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const signature = signer.generateTestHeaderString({ payload, secret, timestamp });
  return site.ask('/functions/v1/stripe-webhook', {
    method: 'POST',
    body: payload,
    headers: { 'stripe-signature': signature },
  });
}

/** Places an order and starts paying it; what's asked for next is its session `cs_<id>`. */
async function orderOf(plan: string, every = 'once', quantity = 1) {
  const id = crypto.randomUUID();
  // A business has one membership at a time; each order here is about itself.
  await site.sql`delete from public.rate_limits`;
  const [price] = await site.sql`
    select amount_minor from public.prices
    where plan_key = ${plan} and every = ${every} and ended_at is null`;
  const order = {
    business_id: buyer.business,
    plan,
    every,
    quantity,
    method: 'card',
    expected_minor: Number(price?.amount_minor),
  };
  await asPerson(site.sql, buyer, async (tx) => {
    await tx`select public.create_order(${id}, ${tx.json(order)})`;
    await tx`select public.start_checkout(${id})`;
  });
  await site.sql`select private.keep_checkout(${id}, ${`cs_${id}`}, true)`;
  const [row] = await site.sql`select total_minor from public.orders where id = ${id}`;
  return { id, total: Number(row?.total_minor) };
}
type Order = Awaited<ReturnType<typeof orderOf>>;

const START = 1_790_000_000;
let numbers = 0;
const event = (type: string, after: number, object: Record<string, unknown>): Sent => ({
  id: `evt_${++numbers}`,
  type,
  created: START + after,
  object,
});

const sessionOf = ({ id, total }: Order, more: Record<string, unknown>) => ({
  id: `cs_${id}`,
  object: 'checkout.session',
  livemode: false,
  mode: 'payment',
  metadata: { order_id: id },
  amount_total: total,
  currency: 'usd',
  customer: 'cus_1',
  payment_intent: `pi_${id}`,
  ...more,
});
const completed = (order: Order, after = 0) =>
  event(
    'checkout.session.completed',
    after,
    sessionOf(order, { status: 'complete', payment_status: 'paid' }),
  );
const expired = (order: Order) =>
  event('checkout.session.expired', 1, sessionOf(order, { status: 'expired' }));

const stateOf = async (id: string) => {
  const [row] = await site.sql`
    select o.state, o.paid_minor::int as paid, o.refunded_minor::int as back,
      o.disputed_minor::int as held,
      coalesce((select sum(g.sessions)::int from public.session_grants g where g.order_id = o.id), 0) as sessions
    from public.orders o where o.id = ${id}`;
  return row;
};

test('A forged, old or unsigned event is refused, and nothing of it is kept', async () => {
  const order = await orderOf('session-pack');
  const forged = await deliver(completed(order), { secret: 'whsec_someone_else' });
  const old = await deliver(completed(order), { age: 301 });
  const body = JSON.stringify(completed(order));
  const unsigned = await site.ask('/functions/v1/stripe-webhook', { method: 'POST', body });
  expect([forged.status, old.status, unsigned.status]).toEqual([400, 400, 400]);
  expect((await stateOf(order.id))?.state).toBe('pending');
  expect(await site.sql`select from private.stripe_events`).toHaveLength(0);
});

test('Events of other kinds and of other shops’ orders change nothing', async () => {
  const other = await deliver(event('customer.created', 0, { id: 'cus_1' }));
  expect(await other.json()).toEqual({ outcome: 'ignored' });
  const unknown = await deliver(completed({ id: crypto.randomUUID(), total: 100 }));
  expect([unknown.status, await unknown.json()]).toEqual([200, { outcome: 'unknown' }]);
});

test('A session that expires or fails can be tried again, and an earlier one doesn’t end the next', async () => {
  const order = await orderOf('session-pack');
  await deliver(expired(order));
  expect((await stateOf(order.id))?.state).toBe('expired');
  await asPerson(site.sql, buyer, (tx) => tx`select public.start_checkout(${order.id})`);
  await site.sql`select private.keep_checkout(${order.id}, 'cs_second', true)`;
  await deliver(expired(order));
  expect((await stateOf(order.id))?.state).toBe('pending');
  const again = { ...order, id: order.id };
  const failed = event('checkout.session.async_payment_failed', 2, {
    ...sessionOf(again, { status: 'complete', payment_status: 'unpaid' }),
    id: 'cs_second',
  });
  await deliver(failed);
  expect((await stateOf(order.id))?.state).toBe('failed');
});

test('A membership is granted month by month as it’s paid, and ends', async () => {
  const order = await orderOf('membership', 'month');
  const month = 30 * 86_400;
  const invoice = (number: number) =>
    event('invoice.paid', number * month, {
      id: `in_${order.id}_${number}`,
      object: 'invoice',
      status: 'paid',
      amount_paid: order.total,
      currency: 'usd',
      parent: { subscription_details: { metadata: { order_id: order.id } } },
      lines: {
        data: [{ period: { start: START + number * month, end: START + (number + 1) * month } }],
      },
    });
  const subscription = (type: string, status: string, after: number) =>
    event(`customer.subscription.${type}`, after, {
      id: `sub_${order.id}`,
      object: 'subscription',
      metadata: { order_id: order.id },
      status,
      cancel_at_period_end: false,
      cancel_at: null,
      items: { data: [{ current_period_end: START + month }] },
    });
  await deliver(subscription('deleted', 'canceled', 2 * month));
  await deliver(invoice(1));
  await deliver(subscription('updated', 'active', 1));
  await deliver(invoice(0));
  await deliver(invoice(0));
  const payments = await site.sql`
    select ref from public.payments where order_id = ${order.id} order by received_at`;
  expect(payments.map(({ ref }) => ref)).toEqual(
    [0, 1].map((number) => `pi_in_${order.id}_${number}`),
  );
  const [membership] = await site.sql`
    select state from public.memberships where order_id = ${order.id}`;
  expect(membership?.state).toBe('ended');
  expect((await stateOf(order.id))?.state).toBe('paid');
});

/** A generator of random numbers from 0 to 1, the same in every run. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const RUNS = 500;
/** How many sessions a pack gives. */
const SESSIONS = 3;

test('However events are doubled, delayed and reordered, the result is what a simple model says', async () => {
  const random = randomFrom(17);
  const below = (most: number) => Math.floor(random() * most);
  // One buyer places as many orders as many would.
  await site.sql`update private.row_ceilings set most = 10000 where on_table = 'orders'`;
  for (let run = 0; run < RUNS; run++) {
    const order = await orderOf('session-pack');
    const { id, total } = order;
    const refundFails = random() < 0.3;
    const dispute = ['none', 'open', 'won', 'lost'][below(4)] as string;
    const isWhole = dispute === 'none' && random() < 0.3;
    const given = isWhole ? total : below(4) * Math.floor(total / 8);
    const disputed = Math.floor(total / 4);
    const refund = (status: string, after: number) =>
      event(after < 3 ? 'refund.created' : 'refund.updated', after, {
        id: `re_${id}`,
        payment_intent: `pi_${id}`,
        amount: given,
        status,
      });
    const claim = (status: string, after: number) =>
      event(after < 5 ? 'charge.dispute.created' : 'charge.dispute.closed', after, {
        id: `du_${id}`,
        payment_intent: `pi_${id}`,
        amount: disputed,
        status,
      });
    const events = [completed(order)];
    if (random() < 0.3) events.push(expired(order));
    if (given > 0) {
      events.push(refund('pending', 2), refund(refundFails ? 'failed' : 'succeeded', 3));
    }
    if (dispute !== 'none') events.push(claim('needs_response', 4));
    if (dispute === 'won' || dispute === 'lost') events.push(claim(dispute, 5));
    const twice = events.filter(() => random() < 0.4);
    const shuffled = [...events, ...twice]
      .map((each) => ({ each, at: random() }))
      .sort((a, b) => a.at - b.at);
    for (const { each } of shuffled) {
      if (random() < 0.05) await deliver(each, { secret: 'whsec_forged' });
      expect((await deliver(each)).status).toBe(200);
    }

    const back = (refundFails ? 0 : given) + (dispute === 'lost' ? disputed : 0);
    const held = dispute === 'open' ? disputed : 0;
    const sessions = Math.ceil((SESSIONS * (total - back - held)) / total);
    expect(await stateOf(id), JSON.stringify(shuffled.map(({ each }) => each.type))).toEqual({
      state: back === 0 ? 'paid' : back >= total ? 'refunded' : 'part_refunded',
      paid: total,
      back,
      held,
      sessions,
    });
  }
}, 300_000);
