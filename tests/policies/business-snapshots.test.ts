import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
import {
  createWorld,
  everyone,
  idOfPerson,
  refusalOf,
  type World,
  whoMay,
  whoReads,
} from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table business_snapshots';

describe('Who may see and add the figures of a business', () => {
  test('Nobody changes or removes figures, or adds some in another name', async () => {
    expect(
      await whoMay(world, (sql) => sql`update public.business_snapshots set full_time = 9`),
    ).toEqual(everyone(denied));
    expect(await whoMay(world, (sql) => sql`delete from public.business_snapshots`)).toEqual(
      everyone(denied),
    );
    expect(
      await whoMay(
        world,
        (sql, { userId }) => sql`
          insert into public.business_snapshots (id, business_id, taken_on, created_by)
          values (gen_random_uuid(), ${world.ids.alder}, '2026-01-01', ${userId})`,
      ),
    ).toEqual(everyone(denied));
  });

  test('Only members add figures, and none of days to come', async () => {
    const violation =
      '42501 new row violates row-level security policy for table "business_snapshots"';
    const add = (day: string) =>
      whoMay(
        world,
        (sql) => sql`
          insert into public.business_snapshots (id, business_id, taken_on, full_time)
          values (gen_random_uuid(), ${world.ids.alder}, current_date + ${day}::int, 3)`,
      );
    expect(await add('9')).toEqual(everyone(violation, { visitor: denied }));
    expect(await add('0')).toEqual(
      everyone(violation, { visitor: denied, owner: 1, colleague: 1 }),
    );
  });

  test('Money has a currency and nothing that is counted is below zero', async () => {
    const { sql, people } = world;
    const add = (values: object) =>
      refusalOf(
        asPerson(
          sql,
          people.owner,
          (tx) => tx`
            insert into public.business_snapshots ${tx({
              ...{ id: crypto.randomUUID(), business_id: world.ids.alder, taken_on: '2026-01-01' },
              ...values,
            })}`,
        ),
      );
    expect(await add({ revenue_minor: 100 })).toMatch(/^23514 /);
    expect(await add({ full_time: -1 })).toMatch(/^23514 /);
    expect(await add({ currency: 'dollars' })).toMatch(/^23514 /);
  });

  test('Members and the assigned coach read figures; they outlive the account that added them', async () => {
    const { sql, people } = world;
    await asPerson(
      sql,
      people.owner,
      (tx) => tx`
        insert into public.business_snapshots (id, business_id, taken_on, revenue_minor, currency)
        values (gen_random_uuid(), ${world.ids.alder}, '2025-12-31', 1250000, 'USD')`,
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
        ...{ visitor: denied, owner: ['1250000 null'], colleague: ['1250000 null'] },
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
