import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql } = world;

await sql`
  create table private.list_rows (
    id uuid primary key default gen_random_uuid(), label text not null,
    words tsvector generated always as (private.name_words(label)) stored
  )`;
// Few labels, so that many rows share one; more rows than words are looked up one by one for.
await sql`
  insert into private.list_rows (label)
  select (array['Ana Peña', 'Ben Oak', 'José Oak'])[1 + n % 3] || case when n % 40 = 0 then ' rare' else '' end
  from generate_series(1, 1203) n`;
const all = await sql<{ id: string; label: string }[]>`
  select id, label from private.list_rows order by label collate "C", id`;

interface Page {
  rows: { id: string; key: string; label: string }[];
  more: boolean;
  count: { total: number; at_least: boolean } | null;
}

async function read(
  filter: { words?: string; label?: string },
  place: object | null = null,
  limit: number | null = null,
  descending = false,
): Promise<Page> {
  const [row] = await sql<{ page: Page }[]>`
    select private.list_page(
      'private.list_rows r', 'jsonb_build_object(''label'', r.label)',
      array[case when ${filter.label ?? null}::text is not null then 'r.label = $1 ->> ''label''' end],
      'r.label collate "C"', 'text', ${descending}, ${sql.json(filter)},
      ${place && sql.json(place as never)}, ${limit}::int, private.name_query(${filter.words ?? ''})
    ) as page`;
  return row?.page as Page;
}

const fitting = ({ words = '', label }: { words?: string; label?: string }) =>
  all.filter(
    (row) =>
      (label === undefined || row.label === label) &&
      row.label.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().includes(words),
  );

test('Pages leave nothing out and repeat nothing, in both directions, for every filter', async () => {
  const filters = fc.record(
    {
      words: fc.constantFrom('', 'oak', 'rare', 'jose', 'nobody'),
      label: fc.constantFrom('Ben Oak'),
    },
    { requiredKeys: ['words'] },
  );
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.boolean(),
      fc.integer({ min: 60, max: 500 }),
      async (filter, descending, size) => {
        const expected = fitting(filter).map(({ id }) => id);
        if (descending) expected.reverse();
        const pages = [await read(filter, null, size, descending)];
        for (let last = pages[0]; last?.more; last = pages.at(-1)) {
          const { id, key } = last.rows.at(-1) ?? {};
          pages.push(await read(filter, { way: 'after', id, key }, size, descending));
        }
        expect(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(expected);
        const { id, key } = pages.at(-1)?.rows[0] ?? {};
        if (pages.length < 2) return;
        const before = await read(filter, { way: 'before', id, key }, size, descending);
        expect(before.rows).toEqual(pages.at(-2)?.rows);
        expect(before.more).toBe(pages.length > 2);
      },
    ),
    { numRuns: 25 },
  );
});

test('A page counts up to a limit, a limit of 0 counts all, and a file counts nothing', async () => {
  expect((await read({})).count).toEqual({ total: 1000, at_least: true });
  expect(await read({}, null, 0)).toEqual({
    rows: [],
    more: false,
    count: { total: 1203, at_least: false },
  });
  const rare = fitting({ words: 'rare' }).length;
  expect((await read({ words: 'rare' })).count).toEqual({ total: rare, at_least: false });
  expect((await read({}, null, 500)).count).toBeNull();
});

test('A place that was made up is refused in words', async () => {
  const sentence = '22023 We lost your place in the list. Start from the top.';
  expect(await refusalOf(read({}, { way: 'after', id: 'x', key: 'y' }))).toBe(sentence);
  for (const place of [
    { key: '2026-01-01', id: '9'.repeat(20) },
    { key: '2026-01-01 00:00+99', id: '1' },
    { key: '2026-01-01 00:00 Nowhere/Place', id: '1' },
    { key: '999999-01-01', id: '1' },
  ]) {
    expect(await world.refusal(world.people.admin, "admin_audit('{}', $1)", [place])).toBe(
      sentence,
    );
  }
});
