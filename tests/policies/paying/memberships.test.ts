import { expect, test } from 'vitest';
import { expectCallers, openWorldForEach } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { owner, colleague, otherOwner, admin } = people;

const MISSING = 'P0002 We can’t find this order.';

const said = (change: object = {}) => ({
  business_id: ids.alder,
  plan: 'membership',
  every: 'month',
  quantity: 1,
  method: 'card',
  expected_minor: 7_900,
  name: 'Olive Owner',
  address: '1 Main Street',
  region: 'US-CO',
  ...change,
});
const create = (change: object = {}, who = owner, id: string = crypto.randomUUID()) =>
  world.ask(who, 'create_order($1, $2)', [id, said(change)]);
const refusalOf = (change: object, who = owner) =>
  world.refusal(who, 'create_order($1, $2)', [crypto.randomUUID(), said(change)]);

const report = (id: string, state: string, at: number, ends = false) => world.sql`
  select private.report_membership(${id}, ${`sub_${id}`}, ${state}, now() + interval '1 month', ${ends}, to_timestamp(${at}))`;
const pay = (id: string, number: number) =>
  world.sql.unsafe(`
    select private.report_payment('${id}', 'pi_${id}_${number}', 'card', 7900, 'USD', now(),
      now() + interval '${number} months', now() + interval '${number + 1} months')`);

/** The owner's membership, bought and paid for a month. */
async function membership(): Promise<string> {
  const { id } = await create();
  await world.ask(owner, 'start_checkout($1)', [id]);
  await pay(id, 0);
  await report(id, 'active', 1);
  await world.sql`update public.orders set customer_ref = 'cus_1' where id = ${id}`;
  return id;
}
const endings = () => world.sql`
  select payload ->> 'ref' as ref, payload ->> 'when' as when from private.jobs
  where kind = 'end_membership' and state = 'waiting' order by created_at, id`;
const toldTo = async (who: { userId: string }) =>
  (
    await world.sql`
      select title from public.notifications
      where user_id = ${who.userId} and kind = 'order' order by created_at, id`
  ).map(({ title }) => title);

test('A membership is for one business, by card, and a business has one', async () => {
  expect(await refusalOf({ business_id: null })).toBe('22023 Choose the business it’s for.');
  expect(await refusalOf({ method: 'purchase_order' })).toBe('22023 A membership is paid by card.');
  expect(await refusalOf({ every: 'once' })).toBe(
    '22023 Choose how you’d like to pay: monthly or yearly.',
  );
  expect(await refusalOf({ quantity: 2 })).toMatch(/^22023 Enter a number from 1 to 1/);
  const waiting = await create({}, colleague);
  await membership();
  const already = '55000 This business already has a membership.';
  expect(await refusalOf({ every: 'year', expected_minor: 79_000 }, colleague)).toBe(already);
  expect(await world.refusal(colleague, 'start_checkout($1)', [waiting.id])).toBe(already);
});

test('While a membership is being paid, another one for the same business can’t be started', async () => {
  const [mine, theirs] = [await create(), await create({}, colleague)];
  await world.ask(owner, 'start_checkout($1)', [mine.id]);
  const own =
    '55000 You’re already paying for a membership of this business. Finish that order under Orders, or cancel it.';
  const someone =
    '55000 Olive Owner is already paying for a membership of this business. Ask them to finish that order, or to cancel it.';
  expect(await refusalOf({ every: 'year', expected_minor: 79_000 })).toBe(own);
  expect(await refusalOf({}, colleague)).toBe(someone);
  expect(await world.refusal(colleague, 'start_checkout($1)', [theirs.id])).toBe(someone);
  // Their own goes on, and once it’s canceled, the other can start.
  await world.ask(owner, 'start_checkout($1)', [mine.id]);
  await world.ask(owner, 'cancel_order($1)', [mine.id]);
  await world.ask(colleague, 'start_checkout($1)', [theirs.id]);
  // What’s paid counts even before the payment company has told of its membership.
  await pay(theirs.id, 0);
  expect(await refusalOf({})).toBe('55000 This business already has a membership.');
});

test('Two members who start at once don’t both get to pay', async () => {
  const [mine, theirs] = [await create(), await create({}, colleague)];
  const raced = await Promise.allSettled([
    world.ask(owner, 'start_checkout($1)', [mine.id]),
    world.ask(colleague, 'start_checkout($1)', [theirs.id]),
  ]);
  expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test.each(['payment first', 'membership first'])(
  'A second membership that’s paid anyway grants nothing, goes back and is ended (%s)',
  async (order) => {
    const second = await create({}, colleague);
    const first = await membership();
    // Its page was open already.
    await world.sql`update public.orders set state = 'pending' where id = ${second.id}`;
    const facts = [() => pay(second.id, 0), () => report(second.id, 'active', 1)];
    for (const fact of order === 'payment first' ? facts : facts.toReversed()) await fact();
    const rows = await world.sql`
      select o.id, o.state,
        (select coalesce(sum(g.sessions), 0)::int from public.session_grants g where g.order_id = o.id) as sessions
      from public.orders o where o.id in (${first}, ${second.id}) order by o.id = ${first} desc`;
    expect(rows).toMatchObject([
      { state: 'paid', sessions: 1 },
      { state: 'refunded', sessions: 0 },
    ]);
    expect(await endings()).toEqual([{ ref: `sub_${second.id}`, when: 'now' }]);
    const refunds = await world.sql`
      select payment_ref, amount_minor::int as amount, reason from public.refunds`;
    expect(refunds).toEqual([
      {
        payment_ref: `pi_${second.id}_0`,
        amount: 7_900,
        reason: 'This business already has a membership.',
      },
    ]);
    // A renewal that comes before it has ended goes back, too, and isn’t called one.
    await pay(second.id, 1);
    expect(await world.sql`select from public.refunds`).toHaveLength(2);
    await report(second.id, 'ended', 3);
    expect(await toldTo(colleague)).toEqual(['Your membership has ended']);
    // The job was given up: the next day it’s tried again.
    await report(first, 'active', 2);
    expect(await toldTo(owner)).toEqual(['We’ve received your payment']);
  },
);

test('Only the person who pays opens the payment company’s page for it', async () => {
  const id = await membership();
  await expectCallers(world, `get_billing_customer('${id}')`, MISSING, {
    owner: 1,
  });
  expect(await world.ask(owner, 'get_billing_customer($1)', [id])).toBe('cus_1');
  const pack = await create({
    plan: 'session-pack',
    every: 'once',
    expected_minor: 28_500,
  });
  expect(await world.refusal(owner, 'get_billing_customer($1)', [pack.id])).toBe(
    '55000 This order has no membership.',
  );
});

test('Members of its business see it, nobody else does, and who pays for it is marked', async () => {
  const id = await membership();
  for (const who of [otherOwner, people.coach, admin]) {
    expect(await world.ask(who, 'list_memberships()')).toEqual([]);
  }
  const [own] = await world.ask(owner, 'list_memberships()');
  const [theirs] = await world.ask(colleague, 'list_memberships()');
  expect(own).toMatchObject({
    order_id: id,
    is_own: true,
    state: 'active',
    total_minor: 7_900,
  });
  expect(theirs).toMatchObject({ order_id: id, is_own: false, every: 'month' });
  expect(own.sessions_left).toBe(theirs.sessions_left);
  await report(id, 'ended', 2);
  expect(await world.ask(owner, 'list_memberships()')).toEqual([]);
});

test('Extra sessions at the member’s price are sold while a membership runs', async () => {
  const extra = {
    plan: 'extra-session',
    every: 'once',
    expected_minor: 8_500,
    quantity: 2,
  };
  const closed = '55000 Extra sessions come with a membership.';
  expect(await refusalOf(extra)).toBe(closed);
  const id = await membership();
  expect(await create(extra, colleague)).toMatchObject({ total_minor: 17_000 });
  expect(await refusalOf({ ...extra, business_id: null, method: 'purchase_order' })).toBe(
    '22023 Choose the business it’s for.',
  );
  await report(id, 'ended', 2);
  expect(await refusalOf(extra)).toBe(closed);
});

test('Extra sessions that were ordered as a member aren’t paid for after the membership has ended', async () => {
  const id = await membership();
  const extra = {
    plan: 'extra-session',
    every: 'once',
    expected_minor: 8_500,
    quantity: 2,
  };
  const [open, left] = [await create(extra), await create(extra)];
  await world.ask(owner, 'start_checkout($1)', [open.id]);
  await report(id, 'ended', 2);
  expect(await world.refusal(owner, 'start_checkout($1)', [left.id])).toBe(
    '55000 Extra sessions come with a membership.',
  );
  // One that’s being paid goes on.
  expect(await world.ask(owner, 'start_checkout($1)', [open.id])).toMatchObject({ try: 1 });
});

test('Each month gives a session, which carries over once', async () => {
  const id = await membership();
  await pay(id, 1);
  await pay(id, 2);
  const left = async (at: string) => {
    const [row] = await world.sql`
      select coalesce(sum(sessions), 0)::int as left from public.session_grants
      where order_id = ${id} and starts_at <= now() + ${at}::interval
        and ends_at > now() + ${at}::interval`;
    return row?.left;
  };
  expect([await left('1 day'), await left('35 days'), await left('65 days')]).toEqual([1, 2, 2]);
});

test('A member hears of a renewal, a declined card, canceling and the end, each once', async () => {
  const id = await membership();
  await pay(id, 1);
  for (const _again of [1, 2]) {
    await report(id, 'past_due', 10);
    await report(id, 'active', 11, true);
    await report(id, 'ended', 12);
  }
  const told = await toldTo(owner);
  expect(told[0]).toBe('We’ve received your payment');
  expect(told[1]).toBe('Your membership has renewed');
  expect(told[2]).toBe('We couldn’t renew your membership');
  expect(told[3]).toMatch(/^Your membership ends on /);
  expect(told.slice(4)).toEqual(['Your membership has ended']);
});

test('Only an admin has a membership ended, with a reason that its member reads', async () => {
  const id = await membership();
  const call = (when: string, reason = 'Paid twice') =>
    `end_membership('${id}', '${when}', '${reason}')`;
  await expectCallers(world, call('period'), '42501 Only an admin can do this.', { admin: 1 });
  expect(await world.refusal(admin, call('now', ''))).toMatch(/^22023 Give a reason/);
  expect(await world.refusal(admin, call('later'))).toBe('22023 Choose when it ends.');
  await report(id, 'active', 5, true);
  expect(await world.refusal(admin, call('period'))).toBe(
    '55000 This membership already ends with its period.',
  );
  await world.ask(admin, call('now'));
  await world.ask(admin, call('now'));
  expect(await endings()).toEqual([{ ref: `sub_${id}`, when: 'now' }]);
  expect(await toldTo(owner)).toContain('We’re ending your membership');
  await report(id, 'ended', 6);
  expect(await world.refusal(admin, call('now'))).toBe('55000 This membership has already ended.');
  const pack = await create({
    plan: 'session-pack',
    every: 'once',
    expected_minor: 28_500,
  });
  expect(await world.refusal(admin, `end_membership('${pack.id}', 'now', 'by mistake')`)).toBe(
    '55000 This order has no membership.',
  );
});

test('A deleted account’s membership is ended, also one that’s bought in the last moment', async () => {
  const id = await membership();
  await world.sql`select private.delete_account(${owner.userId})`;
  expect(await endings()).toEqual([{ ref: `sub_${id}`, when: 'now' }]);
  // The queue gave up; the next day it's tried again, once.
  await world.sql`update private.jobs set state = 'failed' where kind = 'end_membership'`;
  await world.sql`select private.end_left_memberships()`;
  await world.sql`select private.end_left_memberships()`;
  expect(await endings()).toHaveLength(1);
  await world.sql`update private.jobs set state = 'done' where kind = 'end_membership'`;
  await report(id, 'ended', 9);
  await world.sql`select private.end_left_memberships()`;
  expect(await endings()).toHaveLength(0);
});
