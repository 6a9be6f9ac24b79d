import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  idOfPerson,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table business_snapshots';

describe('Who may see and add the figures of a business', () => {
  test('Nobody changes or removes figures, or adds some in another name', () =>
    nobodyWrites(world, 'business_snapshots'));

  test('Only members add figures', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`select add_snapshot(gen_random_uuid(), ${world.ids.alder}, current_date, 3)`,
      ),
    ).toEqual(
      everyone('P0002 This business was not found.', {
        visitor: '42501 permission denied for function add_snapshot',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        owner: 1,
        colleague: 1,
      }),
    );
  });

  test('Figures are of today at the latest, where the person is', async () => {
    const { sql, people, ids } = world;
    const add = (zone: string, ahead: number) =>
      refusalOf(
        asPerson(sql, people.owner, async (tx) => {
          await tx`select add_snapshot(
            gen_random_uuid(), ${ids.alder}, (now() at time zone ${zone})::date + ${ahead}::int, 1)`;
          throw new Error('allowed, and undone');
        }),
      );
    for (const zone of ['Pacific/Pago_Pago', 'America/Denver', 'Asia/Kolkata', 'Pacific/Apia']) {
      await sql`update public.profiles set time_zone = ${zone} where user_id = ${people.owner.userId}`;
      expect(await add(zone, 0), zone).toMatch(/allowed/);
      expect(await add(zone, 1), zone).toMatch(/^22023 Enter the day/);
    }
  });

  test('Figures of days to come, below zero, without a currency or with nothing in them are refused', async () => {
    const { sql, people, ids } = world;
    const add = (figures: string) =>
      refusalOf(
        asPerson(sql, people.owner, (tx) =>
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
    const { sql, people, ids } = world;
    const add = (who: typeof people.owner, id: string, fullTime: number) =>
      asPerson(
        sql,
        who,
        (tx) => tx`select add_snapshot(${id}, ${ids.alder}, '2024-06-30', ${fullTime})`,
      );
    const first = crypto.randomUUID();
    await add(people.owner, first, 2);
    await add(people.owner, first, 2);
    expect(await refusalOf(add(people.colleague, first, 2))).toBe(
      '23505 These figures exist already.',
    );
    await add(people.colleague, crypto.randomUUID(), 4);
    const [row] = await asPerson(
      sql,
      people.owner,
      (tx) => tx`select list_snapshots(${ids.alder}) as it`,
    );
    expect(row?.it).toMatchObject([
      { taken_on: '2024-06-30', full_time: 4, corrections: 1, added_by: 'Cole League' },
    ]);
    expect(
      await sql`select count(*)::int from public.business_snapshots where taken_on = '2024-06-30'`,
    ).toEqual([{ count: 2 }]);
    for (const who of [people.otherOwner, people.otherCoach, people.admin]) {
      expect(
        await refusalOf(asPerson(sql, who, (tx) => tx`select list_snapshots(${ids.alder})`)),
      ).toBe('P0002 This business was not found.');
    }
    await sql`alter table public.business_snapshots disable trigger user`;
    await sql`delete from public.business_snapshots`;
    await sql`alter table public.business_snapshots enable trigger user`;
  });

  test('Members and the assigned coach read figures; they outlive the account that added them', async () => {
    const { sql, people } = world;
    await asPerson(
      sql,
      people.owner,
      (tx) => tx`
        select add_snapshot(
          gen_random_uuid(), ${world.ids.alder}, '2025-12-31', null, null, 1250000, null, 'USD')`,
    );
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
    await sql`delete from auth.users where id = ${idOfPerson('owner')}`;
    expect(await sql`select created_by, revenue_minor from public.business_snapshots`).toEqual([
      { created_by: null, revenue_minor: '1250000' },
    ]);
  });
});
