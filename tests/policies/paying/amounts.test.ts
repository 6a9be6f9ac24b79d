import { expect, test } from 'vitest';
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

test('Refunds take back as many sessions as they paid for, never one that’s partly paid', async () => {
  const cases = Array.from({ length: 10_000 }, () => {
    const paid = random.between(1, 10_000_000);
    return {
      of: random.between(1, 600),
      paid,
      gone: random.pick([0, paid, random.below(paid + 1)]),
    };
  });
  const rows = await sql`
    select private.kept_share(c."of", c.paid, c.gone) as kept
    from unnest(
      ${cases.map((one) => one.of)}::int[], ${cases.map(({ paid }) => paid)}::bigint[],
      ${cases.map(({ gone }) => gone)}::bigint[]
    ) with ordinality as c ("of", paid, gone, position) order by c.position`;
  expect(rows.map(({ kept }) => kept)).toEqual(
    cases.map((one) => {
      const [of, paid, left] = [BigInt(one.of), BigInt(one.paid), BigInt(one.paid - one.gone)];
      return Number((of * left + paid - 1n) / paid);
    }),
  );
});
