import { expect, test } from 'vitest';
import { takenBack } from '../../fixtures/orders.ts';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';
import { seeded } from '../../fixtures/random.ts';

const world = await openWorld();
const { sql } = world;
const { alder } = world.ids;

const PLANS = [
  { key: 'session-pack', every: 'once', unit: 28_500, sessions: 3, months: 0 },
  { key: 'membership', every: 'month', unit: 7_900, sessions: 1, months: 1 },
  { key: 'membership', every: 'year', unit: 79_000, sessions: 1, months: 12 },
] as const;
const STARTS = ['pending', 'canceled', 'expired', 'failed', 'quoted', 'invoiced'] as const;
const RANKS = ['pending', 'succeeded', 'failed', 'canceled'];
const START = Date.UTC(2026, 9, 1);

interface Refund {
  ref: string;
  amount: number;
  state: string;
  at: number;
}
interface Payment {
  ref: string;
  amount: number;
  at: number;
  refunds: Refund[];
  disputes: Refund[];
}
interface Order {
  id: string;
  plan: (typeof PLANS)[number];
  start: (typeof STARTS)[number];
  quantity: number;
  total: number;
  payments: Payment[];
  membership: { state: string; endsWith: boolean; at: number }[];
}

const random = seeded(17);
const sumOf = (items: readonly { amount: number }[]) =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/** What became known of one refund or dispute: its reports, with their seconds. */
function reportsOf(amount: number, states: string[][]): Refund[] {
  const ref = crypto.randomUUID();
  let at = random.between(40, 60);
  return random.pick(states).map((state) => {
    // Some come in the same second.
    at += random.below(3);
    return { ref, amount, state, at };
  });
}

function paymentOf(amount: number): Payment {
  const share = () => Math.max(1, Math.floor((amount * random.pick([1, 10, 33, 50, 100])) / 100));
  const several = (most: number, states: string[][]) =>
    Array.from({ length: random.chance(0.5) ? random.between(1, most) : 0 }, () =>
      reportsOf(share(), states),
    ).flat();
  return {
    ref: crypto.randomUUID(),
    amount,
    at: random.between(0, 30),
    refunds: several(2, [
      ['succeeded'],
      ['pending', 'succeeded'],
      ['pending', 'failed'],
      ['pending', 'succeeded', 'failed'],
      ['pending', 'canceled'],
    ]),
    disputes: several(1, [['open'], ['open', 'won'], ['open', 'lost']]),
  };
}

function randomOrder(): Order {
  const plan = random.pick(PLANS);
  const quantity = plan.months ? 1 : random.between(1, 3);
  const total = plan.unit * quantity;
  // In full, in two parts, twice, too little, or not at all.
  const half = Math.floor(total / 2);
  const start = plan.months ? 'pending' : random.pick(STARTS);
  const amounts = random.pick([[total], [total], [half, total - half], [total, total], [half], []]);
  return {
    id: crypto.randomUUID(),
    plan,
    start,
    quantity,
    total,
    // What comes for a canceled order goes back at once, so nothing else happens to it.
    payments: amounts
      .map(paymentOf)
      .map((payment) =>
        start === 'canceled' ? { ...payment, refunds: [], disputes: [] } : payment,
      ),
    membership: plan.months
      ? Array.from({ length: random.between(1, 4) }, () => ({
          state: random.pick(['active', 'past_due', 'ended']),
          endsWith: random.chance(0.5),
          at: random.between(0, 4),
        }))
      : [],
  };
}

/** The newest report of each refund or dispute; of the same second, the later state. */
function newest(reports: Refund[], ranks: string[]): Refund[] {
  const byRef = new Map<string, Refund>();
  const rank = ({ at, state }: Refund) => at * 10 + ranks.indexOf(state);
  for (const report of reports) {
    const known = byRef.get(report.ref);
    if (!known || rank(report) > rank(known)) byRef.set(report.ref, report);
  }
  return [...byRef.values()];
}

/** What went back of a payment, and what a bank is holding. */
function moneyOf({ amount, refunds, disputes }: Payment, start: string) {
  if (start === 'canceled') return { amount, back: amount, held: 0 };
  const asked = newest(disputes, ['open', 'won', 'lost']);
  const back = Math.min(
    amount,
    sumOf(newest(refunds, RANKS).filter(({ state }) => ['pending', 'succeeded'].includes(state))) +
      sumOf(asked.filter(({ state }) => state === 'lost')),
  );
  const held = Math.min(amount - back, sumOf(asked.filter(({ state }) => state === 'open')));
  return { amount, back, held };
}

function membershipOf({ membership }: Order) {
  const rank = (said: Order['membership'][number]) =>
    said.at * 100 +
    (said.state === 'ended' ? 10 : 0) +
    (said.state === 'active' ? 2 : 0) +
    (said.endsWith ? 1 : 0);
  const last = membership.toSorted((a, b) => rank(b) - rank(a))[0];
  return last ? `${last.state} ${last.endsWith}` : null;
}

/** How far an order is and what it gives, by all that's known, in whatever order it came. */
function model(order: Order) {
  const money = order.payments.map((payment) => moneyOf(payment, order.start));
  const paid = sumOf(money);
  const refunded = money.reduce((sum, { back }) => sum + back, 0);
  const disputed = money.reduce((sum, { held }) => sum + held, 0);
  const isPaid = paid > 0 && paid >= order.total;
  let state: string = order.start;
  if (isPaid) state = refunded >= paid ? 'refunded' : refunded > 0 ? 'part_refunded' : 'paid';
  const bought = order.quantity * order.plan.sessions;
  let sessions = 0;
  if (order.plan.months) {
    for (const { amount, back, held } of money) {
      sessions += order.plan.months - takenBack(order.plan.months, amount, back + held);
    }
  } else if (isPaid) {
    const gone = Math.max(0, order.total - paid + refunded + disputed);
    sessions = bought - takenBack(bought, order.total, gone);
  } else if (state === 'invoiced' && money.length > 0) {
    sessions = bought;
  }
  return {
    state,
    paid,
    refunded,
    disputed,
    sessions,
    membership: membershipOf(order),
  };
}

const moment = (second: number) => `'${new Date(START + second * 1000).toISOString()}'`;

/** The calls that report everything about an order, some of them again and in any order. */
function callsOf(order: Order): string[] {
  const calls = order.payments.flatMap((payment) => {
    const period = order.plan.months
      ? `, ${moment(payment.at)}, ${moment(payment.at)}::timestamptz + interval '${order.plan.months} months'`
      : '';
    const about = (kind: string, { ref, amount, state, at }: Refund) =>
      `private.report_${kind}('${ref}', '${payment.ref}', ${amount}, '${state}', ${moment(at)})`;
    return [
      `private.report_payment('${order.id}', '${payment.ref}', 'card', ${payment.amount}, 'USD', ${moment(payment.at)}${period})`,
      ...payment.refunds.map((refund) => about('refund', refund)),
      ...payment.disputes.map((dispute) => about('dispute', dispute)),
    ];
  });
  for (const { state, endsWith, at } of order.membership) {
    calls.push(
      `private.report_membership('${order.id}', 'sub:${order.id}', '${state}', ${moment(0)}, ${endsWith}, ${moment(at)})`,
    );
  }
  const again = calls.filter(() => random.chance(0.3));
  return random.shuffled([...calls, ...again]);
}

async function place(orders: Order[]): Promise<void> {
  const rows = orders.map(({ id, plan, start, quantity }) => ({
    id,
    start,
    // A business has one membership.
    business: plan.months ? crypto.randomUUID() : alder,
    quantity,
    key: plan.key,
    every: plan.every,
    unit: plan.unit,
    method: ['quoted', 'invoiced'].includes(start) ? 'purchase_order' : 'card',
  }));
  const said = sql`jsonb_to_recordset(${sql.json(rows)}) as o (
    id uuid, start text, business uuid, quantity int, key text, every text, unit bigint, method text)`;
  await sql`
    insert into public.businesses (id, name)
    select business, 'A business' from ${said} where business <> ${alder}`;
  await sql`
    insert into public.orders (id, business_id, method, currency)
    select id, business, method, 'USD' from ${said}`;
  await sql`
    insert into public.order_lines (order_id, position, plan_key, every, description, quantity, unit_minor)
    select id, 1, key, every, key, quantity, unit from ${said}`;
  await sql`update public.orders set state = 'pending' where method = 'card' and state = 'draft'`;
  await sql`select private.quote_order(id) from public.orders where method = 'purchase_order' and state = 'draft'`;
  await sql`
    update public.orders set state = o.start from ${said}
    where orders.id = o.id and o.start in ('canceled', 'expired', 'failed')`;
  const invoiced = orders.filter(({ start }) => start === 'invoiced').map(({ id }) => id);
  await sql`update public.orders set state = 'po_received' where id = any (${invoiced})`;
  await sql`
    update public.orders set state = 'invoiced', invoice_number = private.next_number('INV'), invoiced_at = now()
    where id = any (${invoiced})`;
}

test('Nobody can report payments, refunds, disputes or memberships from outside', async () => {
  for (const who of Object.values(world.people)) {
    const as = world.as(who);
    expect(
      await refusalOf(as`select private.report_refund('re_1', 'pi_1', 1, 'succeeded', now())`),
    ).toBe('42501 permission denied for function report_refund');
    expect(await refusalOf(as`insert into public.payments (ref) values ('pi_1')`)).toBe(
      '42501 permission denied for table payments',
    );
  }
});

test('Whatever order facts come in, and however often, 500 orders end as the sum of them', async () => {
  const orders = Array.from({ length: 500 }, randomOrder);
  await place(orders);
  const calls = random.shuffled(orders.flatMap(callsOf));
  for (let from = 0; from < calls.length; from += 250) {
    await sql.unsafe(
      calls
        .slice(from, from + 250)
        .map((call) => `select ${call};`)
        .join('\n'),
    );
  }
  const rows = await sql`
    select o.id, o.state, o.paid_minor::int as paid, o.refunded_minor::int as refunded,
      o.disputed_minor::int as disputed,
      (select coalesce(sum(g.sessions), 0)::int from public.session_grants g where g.order_id = o.id) as sessions,
      (select m.state || ' ' || m.ends_with_period from public.memberships m where m.order_id = o.id) as membership
    from public.orders o`;
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  const different = orders
    .map((order) => ({
      order,
      expected: model(order),
      found: found.get(order.id),
    }))
    .filter(({ expected, found }) => JSON.stringify(expected) !== JSON.stringify(found));
  expect(different.slice(0, 3)).toEqual([]);
  // Facts that are sent again change nothing, not even a moment or a step.
  const before = await sql`select id, to_jsonb(o) as row from public.orders o order by id`;
  const steps = await sql`select count(*) from public.order_events`;
  await sql.unsafe(
    random
      .shuffled(calls)
      .slice(0, 300)
      .map((call) => `select ${call};`)
      .join('\n'),
  );
  expect(await sql`select id, to_jsonb(o) as row from public.orders o order by id`).toEqual(before);
  expect(await sql`select count(*) from public.order_events`).toEqual(steps);
}, 60_000);

test('A payment is never changed, and belongs to an order in its currency', async () => {
  const order = {
    ...randomOrder(),
    plan: PLANS[0],
    start: 'pending' as const,
    membership: [],
  };
  await place([order]);
  const report = (currency: string) =>
    sql`select private.report_payment(${order.id}, 'pi_euro', 'card', 100, ${currency}, now())`;
  const missing = 'P0002 There’s no order for this payment.';
  expect(await refusalOf(report('EUR'))).toBe(missing);
  expect(
    await refusalOf(
      sql`select private.report_payment(gen_random_uuid(), 'pi_none', 'card', 100, 'USD', now())`,
    ),
  ).toBe(missing);
  await report('USD');
  expect(
    await refusalOf(sql`update public.payments set amount_minor = 1 where ref = 'pi_euro'`),
  ).toMatch(/^\w{5} /);
});
