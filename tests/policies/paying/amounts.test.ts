import { expect, test } from 'vitest';
import { keptShare } from '#domain/refund.ts';
import { takenBack } from '../../fixtures/orders.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { seeded } from '../../fixtures/random.ts';

const world = await openWorld();
const { sql } = world;
const random = seeded(40_875);

/** Rates in millionths, as the database stores them. */
const RATES = [0n, 48_750n, 76_875n, 50_000n, 333_333n, 1n, 999_999n];
const MILLION = 1_000_000n;

/** Rounded once, half a cent up. */
const taxOf = (amount: bigint, rate: bigint) => (amount * rate * 2n + MILLION) / (MILLION * 2n);
const written = (rate: bigint) => `0.${String(rate).padStart(6, '0')}`;

interface Line {
  quantity: number;
  unit: number;
  rate: bigint;
}

/** Orders of one to four lines: the prices of plans, cents that round badly, and large amounts. */
const orders = Array.from({ length: 10_000 }, () => ({
  id: crypto.randomUUID(),
  lines: Array.from(
    { length: random.between(1, 4) },
    (): Line => ({
      quantity: random.pick([1, 2, 3, 7, 10, random.between(1, 1000)]),
      unit: random.pick([28_500, 7_900, 8_500, 200, random.below(1000), random.below(100_000_001)]),
      rate: random.pick(RATES),
    }),
  ),
}));

async function placeAll(): Promise<void> {
  const ids = orders.map(({ id }) => id);
  const lines = orders.flatMap(({ id, lines }) =>
    lines.map(({ quantity, unit, rate }, index) => ({
      id,
      position: index + 1,
      quantity,
      unit,
      rate: written(rate),
    })),
  );
  await sql`
    insert into public.orders (id, business_id, method, currency)
    select id, ${world.ids.alder}, 'purchase_order', 'USD' from unnest(${ids}::uuid[]) as id`;
  const store = (some: typeof lines) => sql`
    insert into public.order_lines (order_id, position, description, quantity, unit_minor, tax_rate)
    select id, position, 'Coaching', quantity, unit, rate
    from jsonb_to_recordset(${sql.json(some)}) as l (
      id uuid, position int, quantity int, unit bigint, rate numeric)`;
  // Summing up once for each order, with its first line, is enough and much quicker.
  await sql`alter table public.order_lines disable trigger user`;
  await store(lines.filter(({ position }) => position > 1));
  await sql`alter table public.order_lines enable trigger user`;
  await store(lines.filter(({ position }) => position === 1));
}

test('Lines, tax and total of 10,000 orders add up to the cent', async () => {
  await placeAll();
  const expected = orders
    .map(({ id, lines }) => {
      const amounts = lines.map(({ quantity, unit }) => BigInt(quantity) * BigInt(unit));
      const taxes = lines.map(({ rate }, index) => taxOf(amounts[index] ?? 0n, rate));
      const subtotal = amounts.reduce((sum, amount) => sum + amount, 0n);
      const tax = taxes.reduce((sum, amount) => sum + amount, 0n);
      return [id, taxes.join(), String(subtotal), String(tax), String(subtotal + tax)].join(' ');
    })
    .sort();
  const rows = await sql`
    select concat_ws(' ', o.id, string_agg(l.tax_minor::text, ',' order by l.position),
      o.subtotal_minor, o.tax_minor, o.total_minor) as line
    from public.orders o join public.order_lines l on l.order_id = o.id
    group by o.id`;
  const found = rows.map(({ line }) => line).sort();
  expect(found.filter((line, index) => line !== expected[index]).slice(0, 3)).toEqual([]);
  expect(found).toHaveLength(expected.length);
}, 30_000);

test('The tax that a screen shows before ordering is the one that’s charged', async () => {
  const amounts = Array.from({ length: 10_000 }, () => ({
    amount: random.below(100_000_000),
    rate: random.pick(RATES),
  }));
  const rows = await sql`
    select private.tax_of(a.amount, a.rate)::text as tax
    from unnest(
      ${amounts.map(({ amount }) => amount)}::bigint[],
      ${amounts.map(({ rate }) => written(rate))}::numeric[]
    ) with ordinality as a (amount, rate, position) order by a.position`;
  expect(rows.map(({ tax }) => tax)).toEqual(
    amounts.map(({ amount, rate }) => String(taxOf(BigInt(amount), rate))),
  );
});

async function keptOf(cases: { of: number; paid: number; gone: number }[]): Promise<number[]> {
  const rows = await sql`
    select private.kept_share(c."of", c.paid, c.gone) as kept
    from unnest(
      ${cases.map((one) => one.of)}::int[], ${cases.map(({ paid }) => paid)}::bigint[],
      ${cases.map(({ gone }) => gone)}::bigint[]
    ) with ordinality as c ("of", paid, gone, position) order by c.position`;
  return rows.map(({ kept }) => kept);
}

test('Refunds take back the sessions whose price went back, never one that’s partly paid', async () => {
  const cases = Array.from({ length: 10_000 }, () => {
    const paid = random.between(1, 10_000_000);
    return {
      of: random.between(1, 600),
      paid,
      gone: random.pick([0, paid, random.below(paid + 1)]),
    };
  });
  const expected = cases.map(({ of, paid, gone }) => of - takenBack(of, paid, gone));
  expect(await keptOf(cases)).toEqual(expected);
  // What an admin reads before refunding.
  expect(cases.map(({ of, paid, gone }) => keptShare(of, paid, gone))).toEqual(expected);
});

test('Refunding the price of unused sessions, rounded down, takes back exactly those', async () => {
  const cases = Array.from({ length: 10_000 }, () => {
    const of = random.between(1, 600);
    // At least a cent for each.
    const paid = random.between(of, 10_000_000);
    const used = random.below(of + 1);
    return { of, paid, used, gone: Math.floor((paid * (of - used)) / of) };
  });
  expect(await keptOf(cases)).toEqual(cases.map(({ used }) => used));
});

test('Payments and refunds of 10,000 orders add up to the cent, whatever share goes back', async () => {
  const rows = await sql`select id, total_minor::text as total from public.orders`;
  // Up to three refunds of each, some of which failed.
  const paid = rows
    .filter(({ total }) => total !== '0')
    .map(({ id, total }) => {
      const refunds = [];
      let left = BigInt(total);
      for (let number = random.below(4); number > 0 && left > 0n; number--) {
        const amount = 1n + (left * BigInt(random.below(1000))) / 1001n;
        const state = random.pick(['succeeded', 'pending', 'failed', 'canceled']);
        refunds.push({ amount: String(amount), state });
        if (state === 'succeeded' || state === 'pending') left -= amount;
      }
      return { id, total, refunds, left };
    });
  await sql`
    insert into public.payments (order_id, ref, method, amount_minor, currency, received_at)
    select id, 'pi_' || id, 'card', total, 'USD', now()
    from jsonb_to_recordset(${sql.json(paid.map(({ id, total }) => ({ id, total })))}) as p (
      id uuid, total bigint)`;
  const refunds = paid.flatMap(({ id, refunds }) => refunds.map((one) => ({ id, ...one })));
  expect(refunds.length).toBeGreaterThan(10_000);
  await sql`
    insert into public.refunds (ref, payment_ref, amount_minor, state, reported_at)
    select 're_' || gen_random_uuid(), 'pi_' || id, amount, state, now()
    from jsonb_to_recordset(${sql.json(refunds)}) as r (id uuid, amount bigint, state text)`;
  const found = await sql`
    select concat_ws(' ', o.id, s.amount_minor, s.amount_minor - s.back_minor) as line
    from public.orders o cross join lateral private.payment_sums(o.id) s`;
  expect(found.map(({ line }) => line).sort()).toEqual(
    paid.map(({ id, total, left }) => `${id} ${total} ${left}`).sort(),
  );
}, 30_000);
