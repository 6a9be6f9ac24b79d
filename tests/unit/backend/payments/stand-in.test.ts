import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '#backend/local/auth/passwords.ts';
import { createPerson } from '#backend/local/demo/builders.ts';
import { openStandIn, type StandIn } from '#backend/local/payments/stand-in.ts';
import { createTestDatabase } from '../../../fixtures/database.ts';
import { type GatewaySite, openSite, PASSWORD, SITE } from '../gateway/site.ts';

let site: GatewaySite;
let standIn: StandIn;
/** Whether our webhook takes events. */
let isUp = true;
beforeAll(async () => {
  const database = await createTestDatabase();
  const logged: string[] = [];
  standIn = await openStandIn({
    db: database.db,
    siteUrl: SITE,
    secret: 'a-secret-of-this-test',
    deliver: async (request) =>
      isUp
        ? site.gateway.fetch(request, { remoteAddress: '127.0.0.1' })
        : new Response(null, { status: 503 }),
    log: (line) => logged.push(line),
  });
  site = await openSite({ database, functionSettings: standIn.settings });
});
afterAll(async () => {
  await standIn.close();
  await site.close();
});
beforeEach(() => {
  isUp = true;
});

let buyers = 0;
/** A person with a business who places an order. */
async function buyerOf(plan: string, every = 'once') {
  const email = `buyer${++buyers}@example.test`;
  const person = { email, fullName: 'Ann Alder', businessName: `Alder ${buyers}` };
  const passwordHash = await hashPassword(PASSWORD);
  const { id: userId } = await createPerson(site.db, { ...person, passwordHash });
  const browser = site.browser();
  const signedIn = await browser.auth.signInWithPassword({ email, password: PASSWORD });
  if (signedIn.error) throw signedIn.error;
  const [business] = await site.sql`
    select business_id from public.business_members where user_id = ${userId}`;
  const [price] = await site.sql`
    select amount_minor from public.prices
    where plan_key = ${plan} and every = ${every} and ended_at is null`;
  const order = crypto.randomUUID();
  const expected_minor = Number(price?.amount_minor);
  const said = { business_id: business?.business_id, plan, every, quantity: 1, method: 'card' };
  const { error } = await browser.rpc('create_order', {
    p_id: order,
    p_order: { ...said, expected_minor, region: 'US-CO' },
  });
  if (error) throw error;
  const call = async (name: string, order_id = order) => {
    const headers = await site.headersOf(browser);
    const answer = await site.ask(`/functions/v1/${name}`, { json: { order_id }, headers });
    return { status: answer.status, ...(await answer.json()) };
  };
  return { order, call };
}

const open = (url: string, init: RequestInit = {}, remoteAddress = '127.0.0.1') =>
  standIn.page(new Request(url, init), { remoteAddress });
const choose = (url: string, action: string, headers = {}) =>
  open(url, { method: 'POST', body: new URLSearchParams({ action }), headers });
const orderRow = async (id: string) =>
  (await site.sql`select * from public.orders where id = ${id}`)[0];
const stateOf = async (id: string) => (await orderRow(id))?.state;

test('Nobody else can pay, see or find out about an order', async () => {
  const { order } = await buyerOf('session-pack');
  const other = await buyerOf('session-pack');
  for (const name of ['checkout', 'checkout-status']) {
    const theirs = await other.call(name, order);
    expect(theirs).toEqual({ status: 404, message: 'We can’t find this order.' });
    expect(await other.call(name, crypto.randomUUID())).toEqual(theirs);
    const { apikey } = await site.headersOf(site.browser());
    const headers = { apikey: apikey ?? '' };
    const json = { order_id: order };
    expect((await site.ask(`/functions/v1/${name}`, { json, headers })).status).toBe(401);
    expect((await site.ask(`/functions/v1/${name}`, { json })).status).toBe(401);
  }
  expect(await stateOf(order)).toBe('draft');
});

test('A buyer whose card is declined takes another one, and comes back to a paid order', async () => {
  const { order, call } = await buyerOf('session-pack');
  const { url } = await call('checkout');
  expect((await call('checkout')).url).toBe(url);
  const declined = await choose(url, 'decline');
  const again = await open(declined.headers.get('location') ?? '');
  expect(await again.text()).toContain('This card was declined.');
  expect(await stateOf(order)).toBe('pending');
  const paid = await choose(url, 'pay');
  expect(paid.headers.get('location')).toBe(`${SITE}/checkout/success?order=${order}`);
  expect(await orderRow(order)).toMatchObject({
    state: 'paid',
    is_test: true,
    paid_minor: '28500',
  });
  expect(await call('checkout')).toMatchObject({ status: 409 });
});

test('A buyer who clicks twice pays once', async () => {
  for (const plan of ['session-pack', 'membership']) {
    const { order, call } = await buyerOf(plan, plan === 'membership' ? 'month' : 'once');
    const { url } = await call('checkout');
    await Promise.all([choose(url, 'pay'), choose(url, 'pay'), choose(url, 'pay')]);
    const row = await orderRow(order);
    expect(row).toMatchObject({ state: 'paid', paid_minor: row?.total_minor });
  }
});

test('The return page finds out about a payment that no event has told of, and it counts once', async () => {
  const { order, call } = await buyerOf('session-pack');
  const { url } = await call('checkout');
  isUp = false;
  await choose(url, 'pay');
  expect(await stateOf(order)).toBe('pending');
  expect(await call('checkout-status')).toEqual({
    status: 200,
    state: 'paid',
    is_processing: false,
    is_disputed: false,
  });
  isUp = true;
  await choose(url, 'pay');
  const payments =
    await site.sql`select amount_minor from public.payments where order_id = ${order}`;
  expect(payments).toHaveLength(1);
});

test('A bank’s money that comes days later pays the order, and a refusal can be tried again', async () => {
  const first = await buyerOf('session-pack');
  const { url } = await first.call('checkout');
  await choose(url, 'later');
  expect(await first.call('checkout-status')).toEqual({
    status: 200,
    state: 'pending',
    is_processing: true,
    is_disputed: false,
  });
  await choose(url, 'arrive');
  expect(await stateOf(first.order)).toBe('paid');

  const second = await buyerOf('session-pack');
  const before = (await second.call('checkout')).url;
  await choose(before, 'later');
  await choose(before, 'fail');
  expect(await stateOf(second.order)).toBe('failed');
  const after = (await second.call('checkout')).url;
  expect(after).not.toBe(before);
  await choose(after, 'pay');
  expect(await stateOf(second.order)).toBe('paid');
});

test('A buyer whom the payment company doesn’t know anymore can still pay', async () => {
  const { order, call } = await buyerOf('session-pack');
  await site.sql`update public.orders set customer_ref = 'cus_of_another_key' where id = ${order}`;
  await choose((await call('checkout')).url, 'pay');
  expect(await orderRow(order)).toMatchObject({ state: 'paid' });
  expect((await orderRow(order))?.customer_ref).not.toBe('cus_of_another_key');
});

test('A page that has expired gives way to a new one', async () => {
  const { order, call } = await buyerOf('session-pack');
  const { url } = await call('checkout');
  isUp = false;
  await choose(url, 'expire');
  const next = await call('checkout');
  expect(next.url).not.toBe(url);
  expect(await stateOf(order)).toBe('pending');
});

const membershipRow = async (order: string) =>
  (
    await site.sql`
      select state, ends_with_period from public.memberships where order_id = ${order}`
  )[0];
const sessionsOf = async (order: string) =>
  (
    await site.sql`
      select sessions from public.session_grants where order_id = ${order} order by starts_at`
  ).map(({ sessions }) => sessions);

test('A membership renews, is declined, paid again, canceled, kept and ended', async () => {
  const { order, call } = await buyerOf('membership', 'month');
  const { url } = await call('checkout');
  await choose(url, 'pay');
  expect(await stateOf(order)).toBe('paid');
  await choose(url, 'renew');
  expect(await sessionsOf(order)).toEqual([1, 1]);
  await choose(url, 'fail_renewal');
  expect(await membershipRow(order)).toMatchObject({ state: 'past_due' });
  expect(await sessionsOf(order)).toEqual([1, 1]);
  await choose(url, 'pay_failed');
  expect(await membershipRow(order)).toMatchObject({ state: 'active' });
  expect(await sessionsOf(order)).toEqual([1, 1, 1]);
  await choose(url, 'cancel');
  expect(await membershipRow(order)).toEqual({ state: 'active', ends_with_period: true });
  await choose(url, 'resume');
  expect(await membershipRow(order)).toEqual({ state: 'active', ends_with_period: false });
  await choose(url, 'cancel');
  await choose(url, 'renew');
  expect(await membershipRow(order)).toMatchObject({ state: 'ended' });
  expect(await sessionsOf(order)).toEqual([1, 1, 1]);
  await choose(url, 'refund');
  expect(await stateOf(order)).toBe('part_refunded');
  expect(await sessionsOf(order)).toEqual([1, 1, 0]);
});

test('A bank decides a dispute for the shop or for the cardholder', async () => {
  const { order, call } = await buyerOf('session-pack');
  const { url } = await call('checkout');
  await choose(url, 'pay');
  for (const [decision, sessions] of [
    ['win', 3],
    ['lose', 0],
  ] as const) {
    await choose(url, 'dispute');
    expect(await sessionsOf(order)).toEqual([0]);
    expect(await call('checkout-status')).toMatchObject({ state: 'paid', is_disputed: true });
    await choose(url, decision);
    expect(await call('checkout-status')).toMatchObject({ is_disputed: false });
    expect(await sessionsOf(order)).toEqual([sessions]);
  }
  expect(await stateOf(order)).toBe('refunded');
});

test('Only its member opens the page of a membership, and cancels and keeps it there', async () => {
  const { order, call } = await buyerOf('membership', 'year');
  const pack = await buyerOf('session-pack');
  const [theirs, missing] = [await pack.call('billing-portal', order), crypto.randomUUID()];
  expect(theirs).toEqual({ status: 404, message: 'We can’t find this order.' });
  expect(await pack.call('billing-portal', missing)).toEqual(theirs);
  expect(await pack.call('billing-portal')).toMatchObject({ status: 409 });
  const json = { order_id: order };
  expect((await site.ask('/functions/v1/billing-portal', { json })).status).toBe(401);

  await choose((await call('checkout')).url, 'pay');
  const { url } = await call('billing-portal');
  const page = await (await open(url)).text();
  expect(page).toContain('Cancel at the end of the period');
  expect(page).toContain(`${SITE}/dashboard/orders/${order}`);
  const subscription = /value="(sub_\w+)"/.exec(page)?.[1] ?? '';
  const manage = (action: string, named = subscription, headers = {}) =>
    open(url, {
      method: 'POST',
      body: new URLSearchParams({ action, subscription: named }),
      headers,
    });
  const foreign = await manage('cancel', subscription, { origin: 'https://elsewhere.example' });
  expect(foreign.status).toBe(403);
  expect((await open(url, {}, '192.0.2.9')).status).toBe(404);
  await manage('cancel', 'sub_of_someone_else');
  expect(await membershipRow(order)).toMatchObject({ ends_with_period: false });
  await manage('cancel');
  expect(await membershipRow(order)).toMatchObject({ ends_with_period: true });
  await manage('resume');
  expect(await membershipRow(order)).toMatchObject({ ends_with_period: false });
});

/** Runs what the database has queued of a kind, and waits for what the site's worker took first. */
async function runJobs(kind: string): Promise<void> {
  await site.gateway.runDueJobs(kind);
  const running = () =>
    site.sql`select id from private.jobs where kind = ${kind} and state = 'running'`;
  await expect.poll(running).toEqual([]);
}

test('A refund that an admin asks for is sent once, even if its answer is lost', async () => {
  const { order, call } = await buyerOf('session-pack');
  await choose((await call('checkout')).url, 'pay');
  const [payment] = await site.sql`select id, ref from public.payments where order_id = ${order}`;
  const ask = (id: string, amount: number) =>
    site.sql.begin(async (tx) => {
      await tx`select private.report_refund(
      ${`refund:${id}`}, ${payment?.ref}, ${amount}, 'pending', to_timestamp(0), 'Moved away')`;
      await tx`
      insert into private.jobs (kind, payload) values ('send_refund', ${tx.json({
        refund_id: id,
        order_id: order,
        payment_ref: payment?.ref,
        amount_minor: amount,
      })})`;
    });
  const refundsOf = () => site.sql`
    select r.ref, r.state, r.amount_minor::int as amount from public.refunds r
    where r.payment_ref = ${payment?.ref} order by r.created_at`;
  const id = crypto.randomUUID();
  await ask(id, 9_500);
  await runJobs('send_refund');
  expect(await refundsOf()).toEqual([{ ref: `refund:${id}`, state: 'succeeded', amount: 9_500 }]);
  expect(await sessionsOf(order)).toEqual([2]);
  // The job ran, but that wasn't recorded: it runs again.
  await site.sql`
    update private.jobs set state = 'waiting', run_at = now()
    where kind = 'send_refund' and payload ->> 'refund_id' = ${id}`;
  await runJobs('send_refund');
  expect(await refundsOf()).toHaveLength(1);
  const sent = await site.sql`
    select from test_payments.objects where object ->> 'payment_intent' = ${payment?.ref}
      and object ->> 'object' = 'refund'`;
  expect(sent).toHaveLength(1);
  // More than is left is refused by the payment company, and gives the sessions back.
  const other = crypto.randomUUID();
  await ask(other, 28_500);
  await runJobs('send_refund');
  expect((await refundsOf())[1]).toMatchObject({ ref: `refund:${other}`, state: 'failed' });
  expect(await sessionsOf(order)).toEqual([2]);
});

test('A membership that the product ends isn’t charged again, however often it’s ended', async () => {
  const { order, call } = await buyerOf('membership', 'month');
  const { url } = await call('checkout');
  await choose(url, 'pay');
  const end = async (when: string) => {
    await site.sql`select private.queue_membership_end(${order}, ${when})`;
    await runJobs('end_membership');
  };
  await end('period');
  expect(await membershipRow(order)).toEqual({ state: 'active', ends_with_period: true });
  await site.sql`select private.delete_account(buyer_id) from public.orders where id = ${order}`;
  await runJobs('end_membership');
  expect(await membershipRow(order)).toMatchObject({ state: 'ended' });
  await end('now');
  expect(await (await open(url)).text()).not.toContain('Skip to the end of the period');
  const failed = await site.sql`
    select last_error from private.jobs where kind = 'end_membership' and last_error is not null`;
  expect(failed).toEqual([]);
});

test('One that the payment company doesn’t know has ended', async () => {
  const { order, call } = await buyerOf('membership', 'month');
  await choose((await call('checkout')).url, 'pay');
  await site.sql`delete from test_payments.objects where object ->> 'object' = 'subscription'`;
  await site.sql`select private.queue_membership_end(${order}, 'now')`;
  await runJobs('end_membership');
  expect(await membershipRow(order)).toMatchObject({ state: 'ended' });
});

/** Cancels an order as its buyer does. */
const cancel = (order: string) => site.sql`
  update public.orders set state = 'canceled' where id = ${order}`;

test('A canceled order’s payment page is closed, and one that was paid in meanwhile is refunded', async () => {
  const closed = await buyerOf('session-pack');
  const page = (await closed.call('checkout')).url;
  await cancel(closed.order);
  await runJobs('close_checkout');
  await choose(page, 'pay');
  expect(await orderRow(closed.order)).toMatchObject({
    state: 'canceled',
    paid_minor: '0',
  });
  expect(await closed.call('checkout')).toEqual({
    status: 409,
    message: 'This order was canceled.',
  });

  const paid = await buyerOf('membership', 'month');
  const { url } = await paid.call('checkout');
  // The site's worker would close the page at once.
  await site.sql.begin(async (tx) => {
    await tx`update public.orders set state = 'canceled' where id = ${paid.order}`;
    await tx`
      update private.jobs set run_at = now() + interval '1 hour'
      where kind = 'close_checkout' and payload ->> 'order_id' = ${paid.order}`;
  });
  await choose(url, 'pay');
  await site.sql`update private.jobs set run_at = now() where kind = 'close_checkout'`;
  for (const kind of ['close_checkout', 'send_refund', 'end_membership']) await runJobs(kind);
  expect(await orderRow(paid.order)).toMatchObject({
    state: 'refunded',
    refunded_minor: '7900',
  });
  expect(await sessionsOf(paid.order)).toEqual([0]);
  expect(await membershipRow(paid.order)).toMatchObject({ state: 'ended' });
  const [refund] = await site.sql`
    select r.state from public.refunds r join public.payments p on p.ref = r.payment_ref
    where p.order_id = ${paid.order}`;
  expect(refund?.state).toBe('succeeded');
  const failed = await site.sql`
    select last_error from private.jobs where kind = 'close_checkout' and last_error is not null`;
  expect(failed).toEqual([]);
});

test('A page that nobody finished is closed after a day, unless a bank is working on its money', async () => {
  const [left, bank, gone] = [
    await buyerOf('session-pack'),
    await buyerOf('session-pack'),
    await buyerOf('session-pack'),
  ];
  await left.call('checkout');
  await choose((await bank.call('checkout')).url, 'later');
  await gone.call('checkout');
  await site.sql`
    delete from test_payments.objects where object -> 'metadata' ->> 'order_id' = ${gone.order}`;
  await site.sql`
    update public.orders set state_since = now() - interval '25 hours' where state = 'pending'`;
  await site.sql`select private.close_old_checkouts()`;
  await runJobs('close_checkout');
  expect(await Promise.all([left, bank, gone].map(({ order }) => stateOf(order)))).toEqual([
    'expired',
    'pending',
    'expired',
  ]);
});

test('The test page can’t be used from other machines or other sites’ pages', async () => {
  const { order, call } = await buyerOf('session-pack');
  const { url } = await call('checkout');
  expect((await open(url, {}, '192.0.2.9')).status).toBe(404);
  const foreign = await choose(url, 'pay', { origin: 'https://elsewhere.example' });
  expect(foreign.status).toBe(403);
  expect(await stateOf(order)).toBe('pending');
  const api = await fetch(`${standIn.settings.STRIPE_API_BASE}/v1/checkout/sessions`, {
    method: 'POST',
  });
  expect(api.status).toBe(401);
});

test('Without a payment company, the checkout says so', async () => {
  const other = await openSite();
  const headers = { apikey: other.keys.publishableKey };
  const json = { order_id: crypto.randomUUID() };
  const answer = await other.ask('/functions/v1/checkout', { json, headers });
  expect(answer.status).toBe(503);
  expect((await answer.json()).message).toContain('You can buy by purchase order');
  await other.close();
});
