import { expect, test } from 'vitest';
import { US_STATES } from '#lib/locale/us-states.ts';
import { asPerson } from '../../fixtures/database.ts';
import {
  expectCallers,
  expectReaders,
  OWES_CODE,
  openWorldForEach,
  refusalOf,
} from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask, refusal } = world;
const { owner, otherOwner, colleague, admin, visitor } = people;

const MISSING = 'P0002 We can’t find this order.';
const FIXED = '55000 An order keeps what it says.';

const pack = (said: Record<string, unknown> = {}) => ({
  business_id: ids.alder,
  plan: 'session-pack',
  every: 'once',
  quantity: 1,
  method: 'card',
  expected_minor: 28_500,
  name: 'Olive Owner',
  address: '1 Main Street, Santa Fe',
  region: 'US-CO',
  ...said,
});
const seats = (said: Record<string, unknown> = {}) =>
  pack({
    business_id: null,
    plan: 'sponsor-seats',
    quantity: 10,
    method: 'purchase_order',
    expected_minor: null,
    ...said,
  });
const create = 'create_order($1, $2)';
const place = (said = pack(), id: string = crypto.randomUUID(), who = owner) =>
  ask(who, create, [id, said]);

test('The invoice’s email is one address', async () => {
  for (const email of ['nobody', 'a@b.co, c@d.co', 'a@b.co\nBcc: c@d.co', '<a@b.co>']) {
    const placing = refusal(owner, 'create_order($1, $2)', [crypto.randomUUID(), pack({ email })]);
    expect(await placing, email).toBe('22023 An email address looks like name@example.com.');
  }
});

test('Visitors see prices, but can’t order', async () => {
  const { plans } = await ask(visitor, 'list_prices()');
  expect(plans.map(({ key }: { key: string }) => key)).toContain('session-pack');
  expect(await refusal(visitor, create, [crypto.randomUUID(), pack()])).toBe(
    '42501 permission denied for function create_order',
  );
});

test('Only its members order for a business', async () => {
  const id = crypto.randomUUID();
  for (const who of [otherOwner, people.coach, admin]) {
    expect(await refusal(who, create, [id, pack()])).toBe(
      '42501 You don’t belong to this business.',
    );
  }
  expect(await refusal(people.ownerWithoutCode, create, [id, pack()])).toBe(OWES_CODE);
  await place(pack(), id, colleague);
});

test('An order that isn’t sold this way is refused, with the field that’s wrong', async () => {
  const refused: [Record<string, unknown>, string][] = [
    [{ plan: 'free' }, '22023 We don’t sell this. Choose a plan.'],
    [{ plan: 'none' }, '22023 We don’t sell this. Choose a plan.'],
    [{ plan: null }, '22023 We don’t sell this. Choose a plan.'],
    [{ quantity: 0 }, '22023 Enter a number from 1 to 200.'],
    [{ quantity: 201 }, '22023 Enter a number from 1 to 200.'],
    [{ quantity: null }, '22023 Enter a number from 1 to 200.'],
    [{ every: 'month' }, '22023 Choose how you’d like to pay: once.'],
    [{ every: null }, '22023 Choose how you’d like to pay: once.'],
    [{ method: 'cash' }, '22023 Choose how you’d like to pay.'],
    [{ expected_minor: 28_499 }, '55000 The price is now $285. Check it and try again.'],
    [{ expected_minor: null }, '55000 The price is now $285. Check it and try again.'],
    [{ business_id: null }, '22023 Seats and packs for a group are bought by purchase order.'],
    [{ region: 'Ohio' }, '22023 Choose your state.'],
    [{ region: 'US-XX' }, '22023 Choose your state.'],
    [{ region: '' }, '22023 Choose your state.'],
    [{ region: null }, '22023 Choose your state.'],
    [{ region: null, method: 'purchase_order' }, '22023 Choose your state.'],
    [{ region: 'US-XX', method: 'purchase_order' }, '22023 Choose your state.'],
    [{ tax_exempt: true }, '22023 Ask for a quote, so that we can check your certificate first.'],
    [
      { method: 'purchase_order', name: ' ' },
      '22023 Enter the name of the person the quote is for.',
    ],
    [
      { method: 'purchase_order', address: null },
      '22023 Enter the address for the quote and the invoice.',
    ],
    [{ quantity: 'many' }, '22023 Something you entered isn’t right. Check it and try again.'],
    [{ quantity: 1e12 }, '22023 Something you entered isn’t right. Check it and try again.'],
    [
      { plan: 'extra-session', expected_minor: 8_500 },
      '55000 Extra sessions come with a membership.',
    ],
    [
      {
        plan: 'membership',
        every: 'month',
        expected_minor: 7_900,
        method: 'purchase_order',
      },
      '22023 A membership is paid by card.',
    ],
  ];
  const answers = [];
  for (const [said] of refused) {
    answers.push([said, await refusal(owner, create, [crypto.randomUUID(), pack(said)])]);
  }
  expect(answers).toEqual(refused);
  expect(await refusal(owner, create, [crypto.randomUUID(), seats({ every: null })])).toMatch(
    /^22023 /,
  );
  expect(
    await refusal(owner, create, [crypto.randomUUID(), seats({ business_id: ids.alder })]),
  ).toBe('22023 Seats are bought for a group, not for one business.');
  for (const said of [null, [], 'pack']) {
    expect(await refusal(owner, create, [crypto.randomUUID(), said])).toMatch(/^22023 /);
  }
  expect(await world.sql`select from public.orders`).toHaveLength(0);
});

test('The states that can be ordered from are those the form offers', async () => {
  const found = await world.sql`
    select code from (
      select 'US-' || chr(a) || chr(b) as code
      from generate_series(65, 90) a, generate_series(65, 90) b
    ) codes
    where private.is_us_state(code) order by code`;
  expect(found.map(({ code }) => code)).toEqual(US_STATES.map(({ value }) => value).sort());
});

test('The price and the tax are the database’s, whatever the browser sends', async () => {
  const order = await place(pack({ quantity: 2, region: 'US-NM', total_minor: 1, unit_minor: 1 }));
  expect(order).toMatchObject({
    state: 'draft',
    subtotal_minor: 57_000,
    tax_minor: 2_779,
    total_minor: 59_779,
    paid_minor: 0,
  });
});

test('Sent twice, it’s one order, and nobody else can have its id', async () => {
  const id = crypto.randomUUID();
  const order = await place(pack(), id);
  expect(await place(pack({ quantity: 9 }), id)).toEqual(order);
  for (const who of [otherOwner, colleague, admin]) {
    expect(await refusal(who, create, [id, seats()])).toBe('23505 This order already exists.');
  }
  expect(await world.sql`select from public.orders`).toHaveLength(1);
});

test('Only its buyer reads and cancels an order', async () => {
  const id = crypto.randomUUID();
  await place(pack(), id);
  await expectReaders(world, 'orders', 'id', { owner: [id] });
  await expectReaders(world, 'order_lines', 'order_id', { owner: [id] });
  await expectReaders(world, 'payments', 'order_id', {});
  await expectReaders(world, 'memberships', 'order_id', {});
  for (const who of [colleague, otherOwner, people.coach, people.sponsor]) {
    expect(await ask(who, 'get_order($1)', [id])).toBeNull();
  }
  expect(await ask(owner, 'get_order($1)', [id])).toMatchObject({
    id,
    state: 'draft',
  });
  await expectCallers(world, `cancel_order('${id}')`, MISSING, { owner: 1 });
});

test('Nobody writes an order, its lines or its steps directly', async () => {
  await place();
  for (const who of [owner, admin]) {
    const as = world.as(who);
    const denied = /^42501 permission denied for table/;
    expect(await refusalOf(as`update public.orders set state = 'paid'`)).toMatch(denied);
    expect(await refusalOf(as`update public.order_lines set unit_minor = 1`)).toMatch(denied);
    expect(await refusalOf(as`delete from public.orders`)).toMatch(denied);
    for (const table of ['order_events', 'refunds', 'disputes', 'session_uses', 'prices']) {
      expect(
        await refusalOf(asPerson(world.sql, who, (tx) => tx.unsafe(`select from public.${table}`))),
      ).toMatch(denied);
    }
  }
});

test('What has a price is quoted at once with a number; seats wait for an admin', async () => {
  const quoted = await place(pack({ method: 'purchase_order' }));
  expect(quoted).toMatchObject({ state: 'quoted' });
  expect(quoted.quote_number).toMatch(/^Q-\d{4}-0001$/);
  expect(await place(seats())).toMatchObject({
    state: 'draft',
    quote_number: null,
  });
  expect(await place(pack({ method: 'purchase_order', tax_exempt: true }))).toMatchObject({
    state: 'draft',
    tax_minor: 0,
  });
});

test('A buyer cancels before it’s invoiced or paid, once; then it says why not', async () => {
  const { id } = await place();
  expect(await ask(owner, 'cancel_order($1)', [id])).toMatchObject({
    state: 'canceled',
  });
  const { events } = await ask(owner, 'cancel_order($1)', [id]);
  expect(
    events.map((event: { to_state: string; by: string }) => [event.to_state, event.by]),
  ).toEqual([
    ['draft', 'buyer'],
    ['canceled', 'buyer'],
  ]);
  const paid = await place();
  await world.sql`select private.report_payment(${paid.id}, 'pi_1', 'card', 28500, 'USD', now())`;
  expect(await refusal(owner, 'cancel_order($1)', [paid.id])).toBe(
    '55000 This order is already paid.',
  );
});

test('From the checkout on, its lines and numbers can’t change, and it takes known steps only', async () => {
  const { id } = await place(pack({ method: 'purchase_order' }));
  const change = (set: string) =>
    refusalOf(world.sql.unsafe(`update public.orders set ${set} where id = '${id}'`));
  expect(await change(`state = 'invoiced'`)).toBe(
    '55000 The order can’t go from quoted to invoiced.',
  );
  await world.sql`update public.orders set state = 'po_received' where id = ${id}`;
  for (const set of ['subtotal_minor = 1', `quote_number = 'Q-1'`, `currency = 'EUR'`]) {
    expect(await change(set)).toBe(FIXED);
  }
  for (const statement of [
    `update public.order_lines set unit_minor = 1 where order_id = '${id}'`,
    `delete from public.order_lines where order_id = '${id}'`,
    `insert into public.order_lines (order_id, position, description, quantity, unit_minor)
      values ('${id}', 2, 'Setup', 1, 1)`,
  ]) {
    expect(await refusalOf(world.sql.unsafe(statement))).toBe(FIXED);
  }
  expect(await refusalOf(world.sql`update public.prices set amount_minor = 1`)).toMatch(/^55000 /);
});

test('Quotes asked for at once have numbers in a row, and one that’s undone leaves no gap', async () => {
  const by = pack({ method: 'purchase_order' });
  await refusalOf(
    world.sql.begin(async (tx) => {
      await tx`select private.next_number('Q')`;
      throw new Error('Undone.');
    }),
  );
  const placed = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      place(by, crypto.randomUUID(), index % 2 ? owner : colleague),
    ),
  );
  expect(placed.map(({ quote_number }) => Number(quote_number.slice(-4))).sort()).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ]);
});

test('Only an admin gives sessions, with a reason, and once for each id', async () => {
  const id = crypto.randomUUID();
  const give = (reason: string, count = 2) =>
    `give_sessions('${id}', '${ids.alder}', ${count}, 12, '${reason}')`;
  await expectCallers(world, give('thanks'), '42501 Only an admin can do this.', { admin: 1 });
  expect(await refusal(admin, give(' '))).toMatch(/^22023 /);
  expect(await refusal(admin, give('thanks', 51))).toBe('22023 Give 1 to 50 sessions.');
  expect(await refusal(admin, `give_sessions('${id}', gen_random_uuid(), 1, 12, 'thanks')`)).toBe(
    'P0002 We can’t find this business.',
  );
  const { left } = await ask(admin, give('thanks'));
  expect(await ask(admin, give('thanks', 9))).toMatchObject({ left });
});
