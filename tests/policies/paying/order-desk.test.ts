import { expect, test } from 'vitest';
import { ordersIn, TODAY } from '../../fixtures/orders.ts';
import { expectCallers, openWorldForEach, pause, someoneWaits } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { owner, otherOwner, colleague, admin } = people;
const { placed, invoiced } = ordersIn(world);

const DENIED = '42501 Only an admin can do this.';
const MISSING = 'P0002 We can’t find this order.';

const record = (order: string, amount: number, payment: string = crypto.randomUUID()) =>
  world.ask(admin, `record_payment($1, $2, 'check', $3, ${TODAY}, 'check 12')`, [
    payment,
    order,
    amount,
  ]);
const packSessions = async () => {
  const [row] = await world.sql`
    select coalesce(sum(sessions), 0)::int as sessions from public.session_grants
    where business_id = ${ids.alder} and kind = 'pack'`;
  return row?.sessions;
};

test('Only its buyer answers a quote or cancels an order; to everyone else it doesn’t exist', async () => {
  const id = await placed();
  await expectCallers(world, `send_purchase_order('${id}', 'PO-1')`, MISSING, { owner: 1 });
  await expectCallers(world, `cancel_order('${id}')`, MISSING, { owner: 1 });
  for (const who of [otherOwner, colleague, admin]) {
    expect(await world.ask(who, `get_order('${id}')`)).toBeNull();
  }
});

test('Only an admin reads all orders, quotes, invoices, records payments and voids', async () => {
  const id = await invoiced();
  const quoted = await placed();
  const only = { admin: 1 };
  await expectCallers(world, 'admin_orders()', DENIED, only);
  await expectCallers(world, `admin_get_order('${id}')`, DENIED, only);
  await expectCallers(
    world,
    `quote_order_lines('${quoted}', 3, 20000, 0, false, 'why not')`,
    DENIED,
    only,
  );
  await expectCallers(world, `record_purchase_order('${quoted}', 'PO-2', 'by mail')`, DENIED, only);
  await expectCallers(world, `invoice_order('${id}', 'again')`, DENIED, only);
  await expectCallers(
    world,
    `record_payment(gen_random_uuid(), '${id}', 'check', 100, ${TODAY}, 'check')`,
    DENIED,
    only,
  );
  await expectCallers(world, `void_order('${id}', 'by mistake')`, DENIED, only);
});

test('A buyer only orders at the total that they saw, and sends the same answer twice', async () => {
  const id = await placed();
  await world.ask(admin, `quote_order_lines('${id}', 2, 40000, 0, false, 'agreed')`);
  const { total_minor: now } = await world.ask(owner, `get_order('${id}')`);
  const answer = (total: number) => `send_purchase_order('${id}', 'PO-1', null, ${total})`;
  expect(await world.refusal(owner, answer(59_779))).toBe(
    '55000 The quote is now $839. Reload the page, and send your purchase order for that.',
  );
  for (const _again of [1, 2])
    expect(await world.ask(owner, answer(now))).toMatchObject({ state: 'po_received' });
});

test('Two admins who record the same part of an invoice at once record it once', async () => {
  const id = await invoiced();
  const { total_minor: open } = await world.ask(owner, `get_order('${id}')`);
  const payment = `record_payment(gen_random_uuid(), '${id}', 'check', 10000, ${TODAY}, 'check 12', ${open})`;
  const first = await pause(world.sql, admin, (tx) => tx.unsafe(`select public.${payment}`));
  const second = world.refusal(admin, payment);
  await someoneWaits(world.sql);
  await first.finish();
  expect(await second).toMatch(/^55000 Someone else has recorded a payment for this invoice/);
  expect(await world.ask(owner, `get_order('${id}')`)).toMatchObject({ paid_minor: 10_000 });
});

test('Each of an admin’s changes needs a reason', async () => {
  const id = await placed();
  const reason = '22023 Give a reason of 3 to 2,000 characters.';
  for (const call of [
    `quote_order_lines('${id}', 2, 20000, 0, false, '')`,
    `record_purchase_order('${id}', 'PO-2', ' ')`,
    `invoice_order('${id}', '')`,
    `record_payment(gen_random_uuid(), '${id}', 'check', 100, ${TODAY}, null)`,
    `void_order('${id}', 'x')`,
  ]) {
    expect(await world.refusal(admin, call), call).toBe(reason);
  }
});

test('An expired quote isn’t answered, and says so', async () => {
  const id = await placed();
  const expired = '55000 This quote has expired. Ask for a new one.';
  await world.sql`update public.orders set quote_expires_at = now() where id = ${id}`;
  expect(await world.refusal(owner, `send_purchase_order('${id}', 'PO-1')`)).toBe(expired);
  await world.sql`select private.expire_quotes()`;
  expect(await world.refusal(owner, `send_purchase_order('${id}', 'PO-1')`)).toBe(expired);
  expect(await world.refusal(admin, `record_purchase_order('${id}', 'PO-1', 'by mail')`)).toBe(
    expired,
  );
});

test('Only the buyer renews a quote, and only once it has expired', async () => {
  const id = await placed();
  const good = await world.ask(owner, `request_quote('${id}')`);
  expect(good.state).toBe('quoted');
  await world.sql`update public.orders set quote_expires_at = now() where id = ${id}`;
  await expectCallers(world, `request_quote('${id}')`, MISSING, { owner: 1 });
  const done = await invoiced();
  expect(await world.refusal(owner, `request_quote('${done}')`)).toBe(
    '55000 Only an expired quote can be renewed.',
  );
});

test('An expired quote is renewed at today’s price, under its number', async () => {
  const id = await placed();
  const before = await world.ask(owner, `get_order('${id}')`);
  await world.sql`
    update public.orders set quoted_at = now() - interval '60 days', quote_expires_at = now()
    where id = ${id}`;
  await world.sql`select private.expire_quotes()`;
  await world.sql`
    update public.prices set ended_at = now() where plan_key = 'session-pack' and ended_at is null`;
  await world.sql`
    insert into public.prices (plan_key, every, currency, amount_minor)
    values ('session-pack', 'once', 'USD', 30000)`;
  const renewed = await world.ask(owner, `request_quote('${id}')`);
  expect(renewed).toMatchObject({
    state: 'quoted',
    quote_number: before.quote_number,
    subtotal_minor: 60_000,
    tax_minor: 2925,
  });
  expect(renewed.quote_expires_at > before.quoted_at).toBe(true);
  // Asked twice, it's the same quote.
  expect(await world.ask(owner, `request_quote('${id}')`)).toEqual(renewed);
  await world.ask(owner, `send_purchase_order('${id}', 'PO-1')`);
  const told = await world.sql`
    select count(*)::int as n from public.notifications
    where user_id = ${admin.userId} and key like ${`order:${id}%`}`;
  expect(told[0]?.n).toBe(2);
});

test('What an admin has quoted, they quote again', async () => {
  const id = await placed();
  await world.ask(admin, `quote_order_lines('${id}', 2, 20000, 0, false, 'as agreed')`);
  await world.sql`update public.orders set quote_expires_at = now() where id = ${id}`;
  expect(await world.ask(owner, `request_quote('${id}')`)).toMatchObject({
    state: 'draft',
    subtotal_minor: 40_000,
  });
  expect(
    await world.ask(admin, `quote_order_lines('${id}', 2, 21000, 0, false, 'a new year')`),
  ).toMatchObject({ state: 'quoted', subtotal_minor: 42_000 });
});

test('Steps are taken in order', async () => {
  const id = await placed();
  expect(await world.refusal(owner, `send_purchase_order('${id}', ' ')`)).toBe(
    '22023 Enter the number of your purchase order.',
  );
  expect(await world.refusal(admin, `invoice_order('${id}', 'too early')`)).toMatch(/^55000 /);
  expect(
    await world.refusal(
      admin,
      `record_payment(gen_random_uuid(), '${id}', 'check', 100, ${TODAY}, 'too early')`,
    ),
  ).toBe('55000 Only an invoice that isn’t paid can be paid.');
  const done = await invoiced();
  expect(await world.refusal(owner, `cancel_order('${done}')`)).toMatch(/^55000 /);
  expect(
    await world.refusal(admin, `quote_order_lines('${done}', 2, 20000, 0, false, 'too late')`),
  ).toBe('55000 Only an order that waits for a quote, or has one, can be quoted.');
});

test('A purchase order goes from the quote to the payment, and its sessions start with the invoice', async () => {
  const id = await placed();
  const quoted = await world.ask(owner, `get_order('${id}')`);
  expect(quoted).toMatchObject({
    state: 'quoted',
    subtotal_minor: 57_000,
    // 57,000 × 0.04875 = 2,778.75
    tax_minor: 2779,
    total_minor: 59_779,
  });
  expect(quoted.quote_number).toMatch(/^Q-\d{4}-\d{4}$/);
  const sent = await world.ask(owner, `send_purchase_order('${id}', ' PO-77 ')`);
  expect(sent).toMatchObject({ state: 'po_received', po_number: 'PO-77' });
  // Sent twice, it's received once.
  await world.ask(owner, `send_purchase_order('${id}', 'PO-77')`);
  expect(await packSessions()).toBe(0);
  const invoice = await world.ask(admin, `invoice_order('${id}', 'confirmed')`);
  expect(invoice.state).toBe('invoiced');
  expect(invoice.invoice_number).toMatch(/^INV-\d{4}-\d{4}$/);
  expect(await packSessions()).toBe(6);

  const first = crypto.randomUUID();
  expect(await record(id, 20_000, first)).toMatchObject({ state: 'invoiced', paid_minor: 20_000 });
  expect(await record(id, 20_000, first)).toMatchObject({ paid_minor: 20_000 });
  await expect(record(id, 39_780)).rejects.toThrow('Enter an amount up to $397.79');
  expect(await record(id, 39_779)).toMatchObject({ state: 'paid', paid_minor: 59_779 });
  expect(await packSessions()).toBe(6);
  const told = await world.sql`
    select key from public.notifications where user_id = ${owner.userId} order by created_at, key`;
  expect(told.map(({ key }) => key.split(':')[0]).sort()).toEqual(['invoiced', 'paid', 'quoted']);
  const audited = await world.sql`
    select action, reason from public.audit_log where entity_id = ${id} and reason is not null
    order by id`;
  expect(audited.map(({ action }) => action)).toEqual([
    'order.invoice',
    'order.payment',
    'order.payment',
  ]);
});

test('A voided invoice takes its sessions back, and only if nothing was paid', async () => {
  const id = await invoiced();
  expect(await packSessions()).toBe(6);
  expect(await world.ask(admin, `void_order('${id}', 'They ordered twice')`)).toMatchObject({
    state: 'canceled',
  });
  expect(await packSessions()).toBe(0);
  const other = await invoiced();
  await record(other, 100);
  expect(await world.refusal(admin, `void_order('${other}', 'by mistake')`)).toBe(
    '55000 Something was paid for this order, so it can’t be canceled.',
  );
});

test('Seats wait for a price; an exempt organization waits for its certificate to be checked', async () => {
  const seats = await placed({
    business_id: null,
    plan: 'sponsor-seats',
    quantity: 10,
    expected_minor: null,
  });
  expect(await world.ask(owner, `get_order('${seats}')`)).toMatchObject({
    state: 'draft',
    total_minor: 0,
  });
  expect(
    await world.refusal(admin, `quote_order_lines('${seats}', 9, 34000, 0, false, 'ten at least')`),
  ).toBe('22023 Enter a number from 10 to 1000.');
  expect(
    await world.ask(admin, `quote_order_lines('${seats}', 12, 34000, 50000, true, 'as agreed')`),
  ).toMatchObject({ state: 'quoted', tax_minor: 0, total_minor: 12 * 34_000 + 50_000 });

  const exempt = await placed({ tax_exempt: true });
  expect(await world.ask(owner, `get_order('${exempt}')`)).toMatchObject({ state: 'draft' });
  expect(
    await world.ask(admin, `quote_order_lines('${exempt}', 2, 28500, 0, false, 'not valid')`),
  ).toMatchObject({ state: 'quoted', tax_minor: 2779, tax_exempt: false });
});

test('The list finds orders by number and organization, state, method and overdue', async () => {
  const id = await invoiced();
  const quoted = await placed({ organization: 'County of Birch' });
  const found = async (filter: object) =>
    (await world.ask(admin, 'admin_orders($1)', [filter])).rows.map(
      (row: { id: string }) => row.id,
    );
  expect(await found({})).toEqual([quoted, id]);
  expect(await found({ sort: 'oldest' })).toEqual([id, quoted]);
  expect(await found({ state: 'invoiced' })).toEqual([id]);
  expect(await found({ method: 'card' })).toEqual([]);
  expect(await found({ words: 'county' })).toEqual([quoted]);
  expect(await found({ words: 'PO-77' })).toEqual([id]);
  expect(await found({ overdue: '1' })).toEqual([]);
  await world.sql`update public.orders set invoice_due_on = current_date - 3 where id = ${id}`;
  expect(await found({ overdue: '1' })).toEqual([id]);
  expect((await world.ask(owner, 'list_orders()')).rows).toHaveLength(2);
  expect((await world.ask(otherOwner, 'list_orders()')).rows).toHaveLength(0);
});
