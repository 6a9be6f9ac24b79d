import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { expectCallers, expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, ask, refusal } = world;
const { owner, colleague, otherOwner, otherCoach, admin } = people;

test('Only members add figures', async () => {
  await expectCallers(
    world,
    `add_snapshot(gen_random_uuid(), '${ids.alder}', current_date, 3)`,
    'P0002 We can’t find this business.',
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
    expect(await add(zone, 1), zone).toMatch(/^22023 Enter the date/);
  }
});

test.each([
  ['current_date + 9, 1', /^22023 Enter the date/],
  ['null, 1', /^22023 Enter the date/],
  ["'2026-01-01'", /^22023 Enter at least one figure/],
  ["'2026-01-01', -1", /^22023 Enter a whole number of people, 0 or more\.$/],
  ["'2026-01-01', 1, 1, -5, null, 'USD'", /^22023 Revenue can’t be negative\.$/],
  ["'2026-01-01', null, null, 100, null, null", /^22023 Choose a currency for the amounts\.$/],
  ["'2026-01-01', null, null, 100, null, 'dollars'", /^22023 Choose a currency for the amounts\.$/],
])('The figures %s are refused', async (figures, refused) => {
  const call = `add_snapshot(gen_random_uuid(), $1, ${figures})`;
  expect(await refusal(owner, call, [ids.alder])).toMatch(refused);
});

test('Sent twice, figures are added once; a correction counts and the older figures stay', async () => {
  const add = "add_snapshot($1, $2, '2024-06-30', $3)";
  const first = [crypto.randomUUID(), ids.alder, 2];
  for (let times = 0; times < 2; times += 1) await ask(owner, add, first);
  expect(await refusal(colleague, add, first)).toBe('23505 These figures already exist.');
  await ask(colleague, add, [crypto.randomUUID(), ids.alder, 4]);
  expect(await ask(owner, 'list_snapshots($1)', [ids.alder])).toMatchObject([
    { taken_on: '2024-06-30', full_time: 4, corrections: 1, added_by: 'Cole League' },
  ]);
  const stored = await sql`select from public.business_snapshots where taken_on = '2024-06-30'`;
  expect(stored).toHaveLength(2);
  for (const who of [otherOwner, otherCoach, admin]) {
    expect(await refusal(who, 'list_snapshots($1)', [ids.alder])).toBe(
      'P0002 We can’t find this business.',
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
  await expectReaders(world, 'business_snapshots', "concat_ws(' ', revenue_minor, full_time)", {
    owner: ['1250000'],
    colleague: ['1250000'],
    coach: ['1250000'],
  });
  expect(await refusalOf(sql`update public.business_snapshots set full_time = 1`)).toBe(
    '55000 Figures can’t be changed or removed. Add new ones instead.',
  );
  await sql`delete from auth.users where id = ${owner.userId}`;
  expect(await sql`select created_by, revenue_minor from public.business_snapshots`).toEqual([
    { created_by: null, revenue_minor: '1250000' },
  ]);
});
