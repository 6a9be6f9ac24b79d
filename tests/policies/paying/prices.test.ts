import { expect, test } from 'vitest';
import { expectCallers, openWorldForEach, pause, someoneWaits } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { owner, admin } = people;

const SET = 'set_price($1, $2, $3, $4, $5)';
const change = (to: number | null, from = 28_500, reason = 'Costs went up') => [
  'session-pack',
  'once',
  from,
  to,
  reason,
];

test('Only an admin reads the prices before and changes one', async () => {
  const denied = '42501 Only an admin can do this.';
  await expectCallers(world, 'admin_prices()', denied, { admin: 1 });
  const call = `set_price('session-pack', 'once', 28500, 30000, 'Costs went up')`;
  await expectCallers(world, call, denied, { admin: 1 });
});

test('A price needs a reason, an amount, a plan that’s sold like that, and eyes that saw the last one', async () => {
  expect(await world.refusal(admin, SET, change(30_000, 28_500, ''))).toMatch(
    /^22023 Give a reason/,
  );
  for (const amount of [null, 0, -5, 100_000_001]) {
    expect(await world.refusal(admin, SET, change(amount))).toBe(
      '22023 Enter a price up to $1,000,000.',
    );
  }
  expect(await world.refusal(admin, SET, ['session-pack', 'year', 1, 2, 'Why not'])).toBe(
    'P0002 We can’t find this price.',
  );
  expect(await world.refusal(admin, SET, change(30_000, 27_000))).toBe(
    '55000 Someone else has changed this price to $285. Reload the page.',
  );
});

test('Of two admins who change a price at once, the second hears what it is now', async () => {
  const first = await pause(world.sql, admin, (tx) =>
    tx.unsafe(`select public.${SET}`, change(30_000)),
  );
  const second = world.refusal(admin, SET, change(31_000));
  await someoneWaits(world.sql);
  await first.finish();
  expect(await second).toBe('55000 Someone else has changed this price to $300. Reload the page.');
});

test('A new price counts from now on, and orders keep the one they were made with', async () => {
  const said = {
    business_id: ids.alder,
    plan: 'session-pack',
    every: 'once',
    quantity: 1,
    method: 'purchase_order',
    expected_minor: 28_500,
    name: 'Olive Owner',
    address: '1 Main Street',
    region: 'US-CO',
  };
  const order = crypto.randomUUID();
  await world.ask(owner, 'create_order($1, $2)', [order, said]);
  for (const _again of [1, 2]) {
    const rows = await world.ask(admin, SET, change(30_000));
    expect(rows.find((row: { plan_key: string }) => row.plan_key === 'session-pack')).toMatchObject(
      {
        amount_minor: 30_000,
        earlier: [{ amount_minor: 28_500 }],
      },
    );
  }
  expect(await world.refusal(owner, 'create_order($1, $2)', [crypto.randomUUID(), said])).toBe(
    '55000 The price is now $300. Check it and try again.',
  );
  expect(await world.ask(owner, 'get_order($1)', [order])).toMatchObject({ total_minor: 28_500 });
  const audited = await world.sql`
    select reason, details from public.audit_log where action = 'price.set'`;
  expect(audited).toMatchObject([
    { reason: 'Costs went up', details: { from_minor: 28_500, to_minor: 30_000 } },
  ]);
});
