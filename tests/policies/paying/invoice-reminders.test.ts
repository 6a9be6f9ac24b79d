import { expect, test } from 'vitest';
import { acceptClients, scheduleSession } from '../../fixtures/coaching.ts';
import type { Person } from '../../fixtures/database.ts';
import { ordersIn, TODAY } from '../../fixtures/orders.ts';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, colleague, coach, admin } = people;
const { invoiced } = ordersIn(world);

/** Makes an invoice due so many days from today, and lets the hourly job run twice. */
async function dueIn(order: string, days: number): Promise<void> {
  await sql`
    update public.orders set invoice_due_on = private.coaching_day() + ${days}::int
    where id = ${order}`;
  await sql`select private.remind_of_invoices()`;
  await sql`select private.remind_of_invoices()`;
}
const withoutNumber = (title: string) => title.replace(/INV-\d+-\d+/, 'INV');
/** What someone was told of an order by these reminders. */
const toldTo = async (who: Person, order: string) =>
  (
    await sql`
      select title from public.notifications
      where user_id = ${who.userId ?? null} and key ~ ${`^(invoice_.|overdue|held|unheld):${order}`}
      order by created_at, key`
  ).map(({ title }) => withoutNumber(title));
const mailedOf = async (order: string) =>
  (
    await sql`
      select m.data ->> 'title' as title, m.to_address from private.mails m
      join public.orders o on o.id = ${order}
      where m.template = 'invoice-reminder' and m.data ->> 'title' like '%' || o.invoice_number || '%'
      order by m.created_at, m.id`
  ).map(({ title, to_address }) => [withoutNumber(title), to_address]);

test('A buyer and the address that pays are reminded a week before, on the day, and 15 and 30 days after', async () => {
  const order = await invoiced();
  const expected: string[] = [];
  for (const [days, title] of [
    [8, null],
    [7, 'Invoice INV is due in a week'],
    [1, null],
    [0, 'Invoice INV is due'],
    [-14, null],
    [-15, 'Invoice INV is 15 days overdue'],
    [-29, null],
    [-30, 'Invoice INV is 30 days overdue'],
    [-90, null],
  ] as const) {
    await dueIn(order, days);
    if (title) expected.push(title);
    expect(await toldTo(owner, order), `${days} days`).toEqual(expected);
  }
  expect(await mailedOf(order)).toEqual(expected.map((title) => [title, 'bills@example.test']));
});

test('Nobody is reminded of what is paid or void, and after a stop only the latest is said', async () => {
  const [paid, voided, late] = [await invoiced(), await invoiced(), await invoiced()];
  await ask(
    admin,
    `record_payment(gen_random_uuid(), '${paid}', 'check', 59779, ${TODAY}, 'check 1')`,
  );
  await ask(admin, `void_order('${voided}', 'ordered twice')`);
  await dueIn(paid, -3);
  await dueIn(voided, -3);
  for (const order of [paid, voided]) expect(await toldTo(owner, order)).toEqual([]);
  await dueIn(late, -20);
  expect(await toldTo(owner, late)).toEqual(['Invoice INV is 15 days overdue']);
});

test('The amount is what’s still open, and the address gets nothing of its own if it’s the buyer’s', async () => {
  const order = await invoiced({ email: null });
  await ask(
    admin,
    `record_payment(gen_random_uuid(), '${order}', 'check', 20000, ${TODAY}, 'check 1')`,
  );
  await dueIn(order, 3);
  const [told] =
    await sql`select body from public.notifications where key = ${`invoice_1:${order}`}`;
  expect(told?.body).toContain('Please pay $397.79');
  expect(told?.body).toContain('Your purchase order: PO-77.');
  expect(await mailedOf(order)).toEqual([]);
});

test('From 15 days on sessions are held: admins, owners and coach hear of it once, and planned ones take place', async () => {
  await acceptClients(world);
  await sql`delete from public.session_grants where business_id = ${ids.alder}`;
  const order = await invoiced();
  // Its buyer has left since, so the owner isn't the buyer.
  await sql`update public.orders set buyer_id = null where id = ${order}`;
  await scheduleSession(world, 24);
  await dueIn(order, -15);
  await dueIn(order, -30);
  const held = ['Sessions of Alder Bakery are on hold'];
  expect(await toldTo(owner, order)).toEqual(held);
  expect(await toldTo(coach, order)).toEqual(held);
  expect(await toldTo(colleague, order)).toEqual([]);
  expect(await toldTo(admin, order)).toEqual(['Invoice INV is 15 days overdue']);
  expect(await refusalOf(scheduleSession(world, 48))).toMatch(
    /^55000 This business has no sessions left/,
  );
  const [scheduled] = await sql`
    select count(*)::int as n from public.coaching_sessions where state = 'scheduled'`;
  expect(scheduled?.n).toBe(1);
});

test('Who heard of a hold hears that it ended, once, and nobody else does', async () => {
  const [first, second] = [await invoiced(), await invoiced()];
  await sql`update public.orders set buyer_id = null where id in ${sql([first, second])}`;
  for (const order of [first, second]) await dueIn(order, -15);
  const pay = (amount: number) =>
    ask(
      admin,
      `record_payment(gen_random_uuid(), '${first}', 'check', ${amount}, ${TODAY}, 'check 1')`,
    );
  const held = 'Sessions of Alder Bakery are on hold';
  await pay(100);
  for (const who of [owner, coach]) expect(await toldTo(who, first)).toEqual([held]);
  await pay(59_679);
  await ask(admin, `void_order('${second}', 'ordered twice')`);
  for (const who of [owner, coach]) {
    expect(await toldTo(who, first)).toEqual([
      held,
      'Sessions of Alder Bakery are no longer on hold',
    ]);
    expect(await toldTo(who, second)).toEqual([held, 'Sessions of Alder Bakery have ended']);
  }
  expect(await toldTo(colleague, first)).toEqual([]);
  // Paid in time: there was no hold.
  const intime = await invoiced();
  await ask(
    admin,
    `record_payment(gen_random_uuid(), '${intime}', 'check', 59779, ${TODAY}, 'check 2')`,
  );
  expect(await toldTo(owner, intime)).toEqual([]);
});
