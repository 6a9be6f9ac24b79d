import { expect, test } from 'vitest';
import { acceptClients, scheduleSession } from '../../fixtures/coaching.ts';
import { TODAY } from '../../fixtures/orders.ts';
import { expectCallers, openWorldForEach } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { owner, admin } = people;

const DENIED = '42501 Only an admin can do this.';

/** The owner's order, paid by card or (partly) by check. */
async function paid(plan = 'session-pack', every = 'once', method = 'card') {
  const id = crypto.randomUUID();
  const [price] = await world.sql`
    select amount_minor::int as minor from public.prices
    where plan_key = ${plan} and every = ${every} and ended_at is null`;
  const said = { business_id: ids.alder, plan, every, quantity: 1, method };
  const buyer = { name: 'Olive Owner', address: '1 Main Street', region: 'US-CO' };
  await world.ask(owner, 'create_order($1, $2)', [
    id,
    { ...said, ...buyer, expected_minor: price?.minor },
  ]);
  if (method === 'card') {
    const period = every === 'once' ? '' : `, now(), now() + interval '1 ${every}'`;
    await world.sql`update public.orders set state = 'pending' where id = ${id}`;
    await world.sql.unsafe(
      `select private.report_payment('${id}', 'pi_${id}', 'card', ${price?.minor}, 'USD', now()${period})`,
    );
  } else {
    await world.ask(owner, `send_purchase_order('${id}', 'PO-1')`);
    await world.ask(admin, `invoice_order('${id}', 'confirmed')`);
    await world.ask(
      admin,
      `record_payment(gen_random_uuid(), '${id}', 'check', ${price?.minor}, ${TODAY}, 'check')`,
    );
  }
  const [row] = await world.sql`select id from public.payments where order_id = ${id}`;
  return { id, payment: String(row?.id) };
}
type Paid = Awaited<ReturnType<typeof paid>>;

const REFUND = 'refund_payment($1, $2, $3, $4, $5)';
const refund = (
  { id, payment }: Paid,
  amount: number | null,
  reason = 'Not needed',
  key: string = crypto.randomUUID(),
) => world.ask(admin, REFUND, [key, id, payment, amount, reason]);
const refusal = ({ id, payment }: Paid, amount: number | null, reason = 'Not needed') =>
  world.refusal(admin, REFUND, [crypto.randomUUID(), id, payment, amount, reason]);
const sessionsOf = async ({ id }: Paid) => {
  const [row] = await world.sql`
    select coalesce(sum(sessions), 0)::int as sessions from public.session_grants
    where order_id = ${id}`;
  return row?.sessions;
};
const sendJobs = () =>
  world.sql`select payload from private.jobs where kind = 'send_refund' and state = 'waiting'`;

test('Only an admin refunds, and reads what can be refunded', async () => {
  const { id, payment } = await paid();
  const call = `refund_payment(gen_random_uuid(), '${id}', '${payment}', 100, 'Not needed')`;
  await expectCallers(world, call, DENIED, { admin: 1 });
  await expectCallers(world, `admin_refund_basis('${id}')`, DENIED, { admin: 1 });
});

test('A refund needs a reason, an amount that’s left, and a payment of that order', async () => {
  const order = await paid();
  const other = await paid();
  expect(await refusal(order, 100, ' ')).toBe('22023 Give a reason of 3 to 2,000 characters.');
  for (const amount of [null, 0, -1, 28_501]) {
    expect(await refusal(order, amount)).toBe(
      '22023 Enter an amount up to $285, which is what’s left of the payment.',
    );
  }
  expect(await refusal({ id: order.id, payment: other.payment }, 100)).toBe(
    'P0002 We can’t find this payment.',
  );
  await refund(order, 28_400);
  expect(await refusal(order, 101)).toMatch(/^22023 Enter an amount up to \$1,/);
  await refund(order, 100);
  expect(await refusal(order, 1)).toBe('55000 This payment has been refunded.');
});

test('What a bank is deciding about can’t be refunded twice', async () => {
  const order = await paid();
  await world.sql`select private.report_dispute('du_1', ${`pi_${order.id}`}, 100, 'open', now())`;
  expect(await refusal(order, 100)).toBe(
    '55000 The bank is deciding about this payment. A refund now could pay it back twice.',
  );
});

test('A card’s refund takes sessions back at once, is sent once, and the buyer hears when it is', async () => {
  const order = await paid();
  const key = crypto.randomUUID();
  const told = async () =>
    (
      await world.sql`
        select title from public.notifications
        where user_id = ${owner.userId} and key like 'refunded:%' or key like 'refund_failed:%'`
    ).map(({ title }) => title);
  const [basis] = await world.ask(admin, 'admin_refund_basis($1)', [order.id]);
  expect(basis).toMatchObject({ unit: 'session', units: 3, unused: 3, open_minor: 28_500 });
  for (const _again of [1, 2]) {
    expect(await refund(order, 19_000, 'Moved away', key)).toMatchObject({
      state: 'part_refunded',
      refunded_minor: 19_000,
      refunds: [{ amount_minor: 19_000, state: 'pending', reason: 'Moved away' }],
    });
  }
  expect(await sessionsOf(order)).toBe(1);
  expect(await sendJobs()).toMatchObject([
    { payload: { refund_id: key, payment_ref: `pi_${order.id}`, amount_minor: 19_000 } },
  ]);
  expect(await told()).toEqual([]);
  const report = (state: string, at: string) => world.sql`
    select private.report_refund(${`refund:${key}`}, ${`pi_${order.id}`}, 19000, ${state}, ${at})`;
  await report('succeeded', '2026-11-25T10:00:00Z');
  await report('succeeded', '2026-11-25T10:00:01Z');
  expect(await told()).toEqual(['We’ve sent you a refund']);
  await report('failed', '2026-11-25T11:00:00Z');
  expect(await sessionsOf(order)).toBe(3);
  expect((await told()).toSorted()).toEqual([
    'A refund didn’t go through',
    'We’ve sent you a refund',
    'Your refund didn’t arrive',
  ]);
  const audited =
    await world.sql`select reason from public.audit_log where action = 'order.refund'`;
  expect(audited.map(({ reason }) => reason)).toEqual(['Moved away']);
});

test('A check’s refund is recorded as sent, without the payment company', async () => {
  const order = await paid('session-pack', 'once', 'purchase_order');
  expect(await refund(order, 28_500)).toMatchObject({
    state: 'refunded',
    refunds: [{ state: 'succeeded' }],
  });
  expect(await sendJobs()).toHaveLength(0);
  expect(await sessionsOf(order)).toBe(0);
});

test('Of a group’s order, seats nobody has taken are proposed and withdrawn', async () => {
  const id = crypto.randomUUID();
  const seats = { business_id: null, plan: 'sponsor-seats', every: 'once', quantity: 10 };
  const office = {
    method: 'purchase_order',
    name: 'Olive Owner',
    address: '1 Main Street',
    region: 'US-CO',
  };
  await world.ask(owner, 'create_order($1, $2)', [
    id,
    { ...seats, ...office, expected_minor: null },
  ]);
  // A price that ten doesn't divide.
  await world.ask(admin, `quote_order_lines('${id}', 10, 33333, 50001, false, 'as agreed')`);
  await world.ask(owner, `send_purchase_order('${id}', 'PO-1')`);
  await world.ask(admin, `invoice_order('${id}', 'confirmed')`);
  const total = 383_331;
  await world.ask(
    admin,
    `record_payment(gen_random_uuid(), '${id}', 'transfer', ${total}, ${TODAY}, 'wire')`,
  );
  const seatsLeft = async () => {
    const [row] = await world.sql`
      select count(*)::int as seats from public.seats s
      join public.programs p on p.id = s.program_id
      where p.order_id = ${id} and s.state <> 'revoked'`;
    return row?.seats;
  };
  const [basis] = await world.ask(admin, 'admin_refund_basis($1)', [id]);
  expect(basis).toMatchObject({ unit: 'seat', units: 10, unused: 10, base_minor: total });
  const order = { id, payment: basis.payment_id };
  await refund(order, Math.floor((total * 3) / 10));
  expect(await seatsLeft()).toBe(7);
  // A cent less than the price of another.
  await refund(order, Math.floor((total * 4) / 10) - Math.floor((total * 3) / 10) - 1);
  expect(await seatsLeft()).toBe(7);
  await refund(order, 1);
  expect(await seatsLeft()).toBe(6);
});

test('Of a year that’s paid for, the months that haven’t started are proposed and taken back', async () => {
  const order = await paid('membership', 'year');
  const [basis] = await world.ask(admin, 'admin_refund_basis($1)', [order.id]);
  expect(basis).toMatchObject({ unit: 'month', units: 12, unused: 11, base_minor: 79_000 });
  await refund(order, Math.floor((79_000 * 11) / 12));
  expect(await sessionsOf(order)).toBe(1);
});

/** What Alder Bakery has besides what a test buys: nothing, or this many sessions. */
async function otherwise(sessions: number): Promise<void> {
  await world.sql`delete from public.session_grants where order_id is null`;
  if (sessions === 0) return;
  await world.sql`
    insert into public.session_grants (business_id, kind, source, bought, sessions, starts_at, ends_at)
    values (${ids.alder}, 'given', 'given:else', ${sessions}, ${sessions}, now(), now() + interval '2 years')`;
}
const leftOf = async ({ id }: Paid) => {
  const [basis] = await world.ask(admin, 'admin_refund_basis($1)', [id]);
  return { unused: basis.unused, needed: basis.needed };
};

test('Sessions that are booked aren’t proposed for a refund, unless something else pays for them', async () => {
  await acceptClients(world);
  await otherwise(0);
  const order = await paid();
  expect(await leftOf(order)).toEqual({ unused: 3, needed: 0 });
  const sessions = [await scheduleSession(world, 24), await scheduleSession(world, 48)];
  expect(await leftOf(order)).toEqual({ unused: 1, needed: 2 });
  await world.ask(people.coach, 'cancel_session($1, $2)', [sessions[0], 'Moved']);
  expect(await leftOf(order)).toEqual({ unused: 2, needed: 1 });
  await otherwise(1);
  expect(await leftOf(order)).toEqual({ unused: 3, needed: 0 });
  // What an admin withdraws anyway is theirs to decide: the session stays booked.
  await otherwise(0);
  await refund(order, 28_500);
  expect(await leftOf(order)).toEqual({ unused: 0, needed: 0 });
  const booked = await world.sql`
    select from public.coaching_sessions where id = ${sessions[1] ?? ''} and state = 'scheduled'`;
  expect(booked).toHaveLength(1);
});

test('Of a year that’s paid for, months until the last booked session aren’t proposed', async () => {
  await acceptClients(world);
  await otherwise(0);
  const order = await paid('membership', 'year');
  await scheduleSession(world, 24);
  expect(await leftOf(order)).toEqual({ unused: 11, needed: 0 });
  // In its fourth month, which the sessions of the third and fourth month are good for.
  await scheduleSession(world, 24 * 100);
  expect(await leftOf(order)).toEqual({ unused: 9, needed: 2 });
  await refund(order, Math.floor((79_000 * 9) / 12));
  expect(await sessionsOf(order)).toBe(3);
  expect(await leftOf(order)).toEqual({ unused: 0, needed: 2 });
});

test('A lost dispute isn’t called a refund', async () => {
  const order = await paid();
  const report = (state: string, at: number) => world.sql`
    select private.report_dispute('du_1', ${`pi_${order.id}`}, 28500, ${state}, to_timestamp(${at}))`;
  await report('open', 10);
  expect(await sessionsOf(order)).toBe(0);
  await report('lost', 20);
  await report('lost', 21);
  for (const who of [owner, admin]) {
    const told = await world.sql`
      select title from public.notifications
      where user_id = ${who.userId} and key like 'dispute_%' order by key desc`;
    expect(told.map(({ title }) => title)).toEqual(
      who === owner
        ? ['Your bank is looking into a payment', 'Your bank gave your money back']
        : ['A card payment is disputed', 'We lost a dispute'],
    );
  }
  expect(await world.sql`select from public.notifications where key like 'refund%'`).toHaveLength(
    0,
  );
});

test('A refund and what the payment company reports of the same payment wait in turn, not in a circle', async () => {
  const order = await paid();
  let refunding: Promise<unknown> = Promise.resolve();
  const reporting = world.sql.begin(async (tx) => {
    // What a report locks first.
    await tx`select private.hold_payment(${`pi_${order.id}`})`;
    refunding = refund(order, 100);
    await expect
      .poll(() => world.sql`select from pg_locks where not granted`.then((rows) => rows.length))
      .toBeGreaterThan(0);
    await tx`select private.report_dispute('dp_1', ${`pi_${order.id}`}, 100, 'won', now())`;
  });
  await expect(reporting).resolves.toBeUndefined();
  await expect(refunding).resolves.toMatchObject({ refunded_minor: 100 });
});
