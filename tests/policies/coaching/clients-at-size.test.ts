import type { TransactionSql } from 'postgres';
import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';

/** The clients of one coach, and of everyone else. */
const CLIENTS = 10_000;

const world = await openWorld();
const { sql, people } = world;
const { owner, coach, otherCoach } = people;
await fill();

async function fill() {
  for (const table of ['businesses', 'engagements']) {
    await sql.unsafe(`alter table public.${table} disable trigger user`);
  }
  await sql`
    insert into public.businesses (id, name)
    select md5('shop ' || n)::uuid, 'Shop ' || n || case when n % 1000 = 0 then ' Giraffe' else '' end
    from generate_series(1, ${2 * CLIENTS}) n`;
  await sql`
    insert into public.engagements (
      id, business_id, owner_id, coach_id, state, requested_at, due_what, due_at, closed_at
    )
    select md5('engagement ' || n)::uuid, md5('shop ' || n)::uuid, ${owner.userId},
      case when n <= ${CLIENTS} then ${otherCoach.userId}::uuid else ${coach.userId}::uuid end,
      s.state, now(), case when s.state <> 'completed' then 'plan' end,
      case when s.state <> 'completed' then now() + make_interval(mins => n) end,
      case when s.state = 'completed' then now() - make_interval(mins => n) end
    from generate_series(1, ${2 * CLIENTS}) n
    cross join lateral (
      select case when n % 500 = 0 then 'assigned' when n % 100 = 1 then 'completed' else 'active' end
        as state
    ) s`;
  for (const table of ['businesses', 'engagements']) {
    await sql.unsafe(`alter table public.${table} enable trigger user`);
  }
  await sql`
    select private.name_engagements(array(select e.id from public.engagements e))`;
  await sql`analyze`;
}

/** How many rows and index entries of engagements and their names this transaction has read. */
async function readSoFar(tx: TransactionSql): Promise<number> {
  const [row] = await tx`
    with tables (id) as (
      values ('public.engagements'::regclass::oid), ('private.engagement_names'::regclass::oid)
    )
    select sum(pg_stat_get_xact_tuples_returned(r.id))::int as read
    from (
      select id from tables
      union all
      select i.indexrelid from pg_index i where i.indrelid in (select id from tables)
    ) r`;
  return row?.read as number;
}

async function cost(text: string, values: unknown[] = []) {
  return await asPerson(sql, otherCoach, async (tx) => {
    const before = await readSoFar(tx);
    const [row] = await tx.unsafe(`select public.${text} as answer`, values as never[]);
    return { answer: row?.answer, read: (await readSoFar(tx)) - before };
  });
}

test('What looks through all engagements is told by the counts', async () => {
  await sql.begin(async (tx) => {
    const before = await readSoFar(tx);
    await tx`select count(*) from public.engagements where note = 'x'`;
    expect((await readSoFar(tx)) - before).toBeGreaterThan(2 * CLIENTS - 1);
  });
});

// A page counts up to 1,000 rows, and a search looks at 100 first.
const COUNTED = 1_500;
// Without counting, a page reads its rows.
const PAGE = 300;

test.each([
  ['by what’s due', {}, 25],
  ['by name', { sort: 'name' }, 25],
  ['one state', { state: 'active' }, 25],
  ['one state by name', { state: 'active', sort: 'name' }, 25],
  ['a state that few have', { state: 'assigned' }, 20],
  ['closed ones', { state: 'completed' }, 25],
  ['a word of all', { q: 'shop' }, 25],
  ['a word of all, by name', { q: 'shop', sort: 'name' }, 25],
])('A page of clients reads no more than it counts: %s', async (_what, filter, rows) => {
  const { answer, read } = await cost('list_clients($1)', [filter]);
  expect(answer.rows).toHaveLength(rows);
  expect(read).toBeLessThan(COUNTED);
});

test.each([
  ['by what’s due', {}],
  ['by name', { sort: 'name' }],
  ['one state by name', { state: 'active', sort: 'name' }],
])(
  'The next page reads its rows, and the one before is where it was: %s',
  async (_what, filter) => {
    const page = 'list_clients($1, $2, 25)';
    const first = await cost(page, [filter, null]);
    const last = first.answer.rows.at(-1);
    const next = await cost(page, [filter, { way: 'after', key: last.key, id: last.id }]);
    expect(next.answer.rows).toHaveLength(25);
    expect(next.read).toBeLessThan(PAGE);
    const [{ key, id }] = next.answer.rows;
    const back = await cost(page, [filter, { way: 'before', key, id }]);
    expect(back.answer.rows).toEqual(first.answer.rows);
    expect(back.read).toBeLessThan(PAGE);
  },
);

test('The board reads its columns, and today what’s due', async () => {
  for (const sort of ['due', 'name']) {
    const board = await cost('list_clients($1)', [{ view: 'board', sort }]);
    expect(board.answer.rows).toHaveLength(24);
    expect(board.read).toBeLessThan(PAGE);
  }
  const today = await cost('coach_today()');
  expect(today.answer.due).toHaveLength(20);
  expect(today.answer.counts).toEqual({ assigned: 20, accepted: 0, active: 1000, paused: 0 });
  expect(today.read).toBeLessThan(COUNTED);
});

test('A word that few clients have finds all of them', async () => {
  const { answer } = await cost('list_clients($1)', [{ q: 'giraffe' }]);
  expect(answer).toMatchObject({ more: false, count: { total: 10, at_least: false } });
});
