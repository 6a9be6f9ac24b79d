import { expect, test } from 'vitest';
import { everyone, prepareWorld, refusalOf, whoMay } from '../fixtures/personas.ts';

const world = prepareWorld();

test('Nobody reads or changes the steps through the API', async () => {
  const denied = everyone('42501 permission denied for table transitions');
  expect(await whoMay(world, (sql) => sql`select 1 from private.transitions`)).toEqual(denied);
  expect(
    await whoMay(world, (sql) => sql`update private.transitions set who = '{member}'`),
  ).toEqual(denied);
});

test('Every state that a row may have is in a step, and no step leads to another one', async () => {
  for (const [entity, table, column] of [
    ['project', 'projects', 'status'],
    ['attempt', 'attempts', 'state'],
    ['engagement', 'engagements', 'state'],
  ] as const) {
    const [check] = await world.sql`
      select pg_get_constraintdef(oid) as rule from pg_constraint
      where conrelid = ${`public.${table}`}::regclass and conname = ${`${table}_${column}_check`}`;
    const states = [...`${check?.rule}`.matchAll(/'(\w+)'::text/g)].map(([, state]) => state);
    const steps = await world.sql`
      select distinct s from private.transitions, unnest(array[from_state, to_state]) s
      where entity = ${entity} and s is not null`;
    const known = steps.map(({ s }) => s);
    expect(states).toEqual(expect.arrayContaining(known));
    // What an engagement may end as besides has no procedure yet.
    expect(states.filter((state) => !known.includes(state))).toEqual(
      entity === 'engagement' ? ['completed', 'unreachable', 'ineligible'] : [],
    );
  }
});

test('An engagement is open as long as it can be withdrawn, and has no time of closing till then', async () => {
  const { sql, ids } = world;
  const open = () =>
    sql`select closed_at from public.engagements where id = ${ids.birchEngagement}`;
  expect(await open()).toEqual([{ closed_at: null }]);
  await sql`update public.engagements set state = 'withdrawn' where id = ${ids.birchEngagement}`;
  expect((await open())[0]?.closed_at).toBeInstanceOf(Date);
  expect(
    await refusalOf(
      sql`update public.engagements set state = 'requested' where id = ${ids.birchEngagement}`,
    ),
  ).toBe('55000 The engagement cannot go from withdrawn to requested.');
});
