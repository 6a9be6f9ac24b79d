import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import {
  everyone,
  expectCallers,
  openWorld,
  refusalOf,
  whoReads,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as } = world;
const { owner, colleague, otherOwner, otherCoach, admin } = people;

const denied = '42501 permission denied for table business_snapshots';

test('Only members add figures', async () => {
  await expectCallers(
    world,
    `add_snapshot(gen_random_uuid(), '${ids.alder}', current_date, 3)`,
    'P0002 This business was not found.',
    { owner: 1, colleague: 1 },
  );
});

test('Figures are of today at the latest, where the person is', async () => {
  const add = (zone: string, ahead: number) =>
    refusalOf(
      asPerson(sql, owner, async (tx) => {
        await tx`select add_snapshot(
            gen_random_uuid(), ${ids.alder}, (now() at time zone ${zone})::date + ${ahead}::int, 1)`;
        throw new Error('allowed, and undone');
      }),
    );
  for (const zone of ['Pacific/Pago_Pago', 'America/Denver', 'Asia/Kolkata', 'Pacific/Apia']) {
    await sql`update public.profiles set time_zone = ${zone} where user_id = ${owner.userId}`;
    expect(await add(zone, 0), zone).toMatch(/allowed/);
    expect(await add(zone, 1), zone).toMatch(/^22023 Enter the day/);
  }
});

test('Figures of days to come, below zero, without a currency or with nothing in them are refused', async () => {
  const add = (figures: string) =>
    refusalOf(
      asPerson(sql, owner, (tx) =>
        tx.unsafe(`select add_snapshot(gen_random_uuid(), '${ids.alder}', ${figures})`),
      ),
    );
  expect(await add('current_date + 9, 1')).toMatch(/^22023 Enter the day/);
  expect(await add('null, 1')).toMatch(/^22023 Enter the day/);
  expect(await add("'2026-01-01'")).toMatch(/^22023 Enter at least one figure/);
  expect(await add("'2026-01-01', -1")).toBe('22023 Count whole people, from 0.');
  expect(await add("'2026-01-01', 1, 1, -5, null, 'USD'")).toBe('22023 Revenue is not below 0.');
  for (const currency of ['null', "'dollars'"]) {
    expect(await add(`'2026-01-01', null, null, 100, null, ${currency}`)).toBe(
      '22023 Choose the currency of the amounts.',
    );
  }
});

test('Sent twice, figures are added once; a correction counts and the older figures stay', async () => {
  const add = (who: typeof people.owner, id: string, fullTime: number) =>
    as(who)`select add_snapshot(${id}, ${ids.alder}, '2024-06-30', ${fullTime})`;
  const first = crypto.randomUUID();
  await add(owner, first, 2);
  await add(owner, first, 2);
  expect(await refusalOf(add(colleague, first, 2))).toBe('23505 These figures exist already.');
  await add(colleague, crypto.randomUUID(), 4);
  const [row] = await as(owner)`select list_snapshots(${ids.alder}) as it`;
  expect(row?.it).toMatchObject([
    { taken_on: '2024-06-30', full_time: 4, corrections: 1, added_by: 'Cole League' },
  ]);
  expect(
    await sql`select count(*)::int from public.business_snapshots where taken_on = '2024-06-30'`,
  ).toEqual([{ count: 2 }]);
  for (const who of [otherOwner, otherCoach, admin]) {
    expect(await refusalOf(as(who)`select list_snapshots(${ids.alder})`)).toBe(
      'P0002 This business was not found.',
    );
  }
  await sql`alter table public.business_snapshots disable trigger user`;
  await sql`delete from public.business_snapshots`;
  await sql`alter table public.business_snapshots enable trigger user`;
});

test('Members and the assigned coach read figures; they outlive the account that added them', async () => {
  await as(owner)`
        select add_snapshot(
          gen_random_uuid(), ${ids.alder}, '2025-12-31', null, null, 1250000, null, 'USD')`;
  expect(
    await whoReads(
      world,
      'business_snapshots',
      '*',
      (row) => `${row.revenue_minor} ${row.full_time}`,
    ),
  ).toEqual(
    everyone([], {
      visitor: denied,
      owner: ['1250000 null'],
      colleague: ['1250000 null'],
      coach: ['1250000 null'],
    }),
  );
  expect(await refusalOf(sql`update public.business_snapshots set full_time = 1`)).toBe(
    '55000 Figures are never changed or removed: add new ones.',
  );
  await sql`delete from auth.users where id = ${owner.userId}`;
  expect(await sql`select created_by, revenue_minor from public.business_snapshots`).toEqual([
    { created_by: null, revenue_minor: '1250000' },
  ]);
});
