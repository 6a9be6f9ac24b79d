import { expect, test } from 'vitest';
import { openWorldForEach } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask, refusal } = world;
const { owner, admin } = people;

/** Places an order of a session pack by card. */
async function placed(): Promise<string> {
  const id = crypto.randomUUID();
  const pack = {
    business_id: ids.alder,
    plan: 'session-pack',
    every: 'once',
    quantity: 2,
  };
  const buyer = {
    method: 'card',
    name: 'Olive Owner',
    address: '1 Main Street',
    region: 'US-NM',
  };
  const [price] = await world.sql`
    select amount_minor::int as minor from public.prices
    where plan_key = 'session-pack' and ended_at is null`;
  await ask(owner, 'create_order($1, $2)', [
    id,
    { ...pack, ...buyer, expected_minor: price?.minor },
  ]);
  return id;
}
/** Places one whose payment page is open. */
async function opened(): Promise<string> {
  const id = await placed();
  await start(id);
  await world.sql`select private.keep_checkout(${id}, ${`cs_${id}`}, true)`;
  return id;
}
const start = (id: string) => ask(owner, 'start_checkout($1)', [id]);
const pay = (id: string, ref = `pi_${id}`, amount = 59_779) => world.sql`
  select private.report_payment(${id}, ${ref}, 'card', ${amount}, 'USD', now())`;
const setPrice = (from: number, to: number) =>
  ask(admin, `set_price('session-pack', 'once', ${from}, ${to}, 'A new year')`);
const rowOf = async (id: string) =>
  (
    await world.sql`
      select o.state, o.paid_minor::int as paid, o.refunded_minor::int as back,
        coalesce((select sum(g.sessions)::int from public.session_grants g where g.order_id = o.id), 0) as sessions
      from public.orders o where o.id = ${id}`
  )[0];
const jobsOf = (kind: string) => world.sql`
  select payload from private.jobs where kind = ${kind} and state = 'waiting' order by created_at, id`;
const toldTo = async (who: { userId: string }) =>
  (
    await world.sql`
      select title from public.notifications
      where user_id = ${who.userId} and kind = 'order' order by created_at, id`
  ).map(({ title }) => title);

test('An order isn’t paid at an earlier price, unless its payment page is still open', async () => {
  const [waiting, open] = [await placed(), await opened()];
  await setPrice(28_500, 31_000);
  const changed =
    '55000 The price has changed since you placed this order: it’s $650.23 now and was $597.79. Cancel this order and place a new one.';
  expect(await refusal(owner, 'start_checkout($1)', [waiting])).toBe(changed);
  expect((await rowOf(waiting))?.state).toBe('draft');
  // The page that’s open keeps its price for its day, and nobody is sent to another one.
  expect(await start(open)).toMatchObject({
    checkout_ref: `cs_${open}`,
    try: 1,
  });
  await world.sql`select private.end_checkout(${open}, ${`cs_${open}`}, 'expired')`;
  expect(await refusal(owner, 'start_checkout($1)', [open])).toBe(changed);
  await setPrice(31_000, 28_500);
  expect(await start(open)).toMatchObject({ checkout_ref: null, try: 2 });
  await world.sql`update public.prices set ended_at = now() where plan_key = 'session-pack' and ended_at is null`;
  expect(await refusal(owner, 'start_checkout($1)', [waiting])).toBe(
    '55000 We don’t sell this anymore. Cancel this order and choose a plan.',
  );
});

test('What nobody paid within a day expires, after the payment company was asked', async () => {
  const [fresh, old, without] = [await opened(), await opened(), await placed()];
  await start(without);
  await world.sql`
    update public.orders set state_since = now() - interval '25 hours'
    where id in ${world.sql([old, without])}`;
  for (const _again of [1, 2]) await world.sql`select private.close_old_checkouts()`;
  expect(await jobsOf('close_checkout')).toEqual([
    { payload: { order_id: old, ref: `cs_${old}` } },
  ]);
  expect((await rowOf(without))?.state).toBe('expired');
  expect((await rowOf(old))?.state).toBe('pending');
  expect((await rowOf(fresh))?.state).toBe('pending');
  // It’s with a bank: it’s asked about again the next day.
  await world.sql`
    update private.jobs set state = 'done', created_at = now() - interval '25 hours'
    where kind = 'close_checkout'`;
  await world.sql`select private.close_old_checkouts()`;
  expect(await jobsOf('close_checkout')).toHaveLength(1);
});

test('Canceling an order closes its payment page, whoever cancels', async () => {
  const [own, voided, never] = [await opened(), await opened(), await placed()];
  await ask(owner, 'cancel_order($1)', [own]);
  await ask(owner, 'cancel_order($1)', [never]);
  await ask(admin, `void_order('${voided}', 'Ordered twice')`);
  expect(await jobsOf('close_checkout')).toEqual(
    [own, voided].map((id) => ({ payload: { order_id: id, ref: `cs_${id}` } })),
  );
});

test('A payment page that opens after its order was canceled isn’t kept', async () => {
  const id = await placed();
  await start(id);
  await ask(owner, 'cancel_order($1)', [id]);
  const [row] = await world.sql`select private.keep_checkout(${id}, 'cs_late', true) as kept`;
  expect(row?.kept).toBe(false);
});

test('Money that arrives for a canceled order goes back at once, gives nothing, and the buyer reads why', async () => {
  const id = await opened();
  await ask(owner, 'cancel_order($1)', [id]);
  for (const _again of [1, 2]) await pay(id);
  expect(await rowOf(id)).toEqual({
    state: 'refunded',
    paid: 59_779,
    back: 59_779,
    sessions: 0,
  });
  const [job, ...others] = await jobsOf('send_refund');
  expect(others).toEqual([]);
  expect(job?.payload).toMatchObject({
    order_id: id,
    payment_ref: `pi_${id}`,
    amount_minor: 59_779,
  });
  expect(await toldTo(owner)).toEqual([]);
  await world.sql`
    select private.report_refund(${`refund:${job?.payload.refund_id}`}, ${`pi_${id}`}, 59779, 'succeeded', now())`;
  expect(await toldTo(owner)).toEqual(['We’ve sent you a refund']);
  const [said] = await world.sql`select body from public.notifications where key like 'refunded:%'`;
  expect(said?.body).toContain('You paid after this order was canceled.');
  // One more payment goes back, too, but not what the bank holds or what went back already.
  await world.sql`select private.report_refund('re_1', 'pi_again', 9779, 'succeeded', now())`;
  await pay(id, 'pi_again');
  const sent = await jobsOf('send_refund');
  expect(sent.map(({ payload }) => payload.amount_minor)).toEqual([59_779, 50_000]);
  expect((await rowOf(id))?.sessions).toBe(0);
});

test('Two reports of the same payment wait in turn, not in a circle', async () => {
  const id = await opened();
  const checkout = { kind: 'checkout', order_id: id, customer_ref: 'cus_1', is_test: true };
  const at = '2026-11-25T10:00:00Z';
  const payment = { kind: 'payment', order_id: id, ref: `pi_${id}`, amount_minor: 59_779 };
  const facts = [checkout, { ...payment, currency: 'USD', at }];
  let asking: Promise<unknown> = Promise.resolve();
  const reporting = world.sql.begin(async (tx) => {
    // What a report of the payment alone locks first.
    await tx`select private.hold_payment(${`pi_${id}`})`;
    asking = world.sql`select private.apply_card_facts(${world.sql.json(facts)})`.execute();
    await expect
      .poll(() => world.sql`select from pg_locks where not granted`.then((rows) => rows.length))
      .toBeGreaterThan(0);
    await tx`select private.apply_card_facts(${tx.json(facts.slice(1))})`;
  });
  await expect(reporting).resolves.toBeUndefined();
  await asking;
  expect(await rowOf(id)).toMatchObject({ state: 'paid', paid: 59_779, sessions: 6 });
});
