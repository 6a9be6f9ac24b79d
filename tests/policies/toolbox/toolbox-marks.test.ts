import { expect, test } from 'vitest';
import {
  everyone,
  expectReaders,
  OWES_CODE,
  openWorld,
  refusalOf,
  type World,
  whoMay,
} from '../../fixtures/personas.ts';
import { publishChange } from '../../fixtures/tools.ts';

const world = await openWorld();
const { sql, people, ids, as, ask } = world;

interface Item {
  slug: string;
  saved_at: string | null;
  done_at: string | null;
}

/** The toolbox list as a person sees it. */
function listed(
  name: keyof World['people'],
  options: Record<string, string> = {},
): Promise<{ items: Item[]; recommended: Item[]; total: number; more: boolean }> {
  const { query = '', area = null, type = null, level = null, mark = null, page = 1 } = options;
  const values = [ids.alder, query, area, type, level, mark, page];
  return ask(people[name], 'list_toolbox($1, $2, $3, $4, $5, $6, $7)', values);
}

const mark = (name: keyof World['people'], slug: string, kind: string, on: boolean) =>
  as(people[name])`select public.mark_tool(${slug}, ${kind}, ${on})`;

test('Without an account or a code nothing is marked, nor what is not published', async () => {
  for (const [name, slug, kind, refused] of [
    ['visitor', 'break-even', 'saved', /^42501 permission/],
    ['ownerWithoutCode', 'break-even', 'saved', OWES_CODE],
    ['owner', 'no-such-tool', 'done', /^P0002/],
    ['owner', 'break-even', 'loved', /^22023/],
  ] as const) {
    expect(await refusalOf(mark(name, slug, kind, true))).toMatch(refused);
  }
  await sql`update public.toolbox_items set state = 'archived' where slug = 'role-sheet'`;
  expect(await refusalOf(mark('owner', 'role-sheet', 'saved', true))).toMatch(/^P0002/);
  await sql`update public.toolbox_items set state = 'published' where slug = 'role-sheet'`;
});

test('Marks are a person’s own, and said twice they are one', async () => {
  await mark('owner', 'break-even', 'saved', true);
  const [first] = await sql`select saved_at from public.toolbox_marks`;
  await mark('owner', 'break-even', 'saved', true);
  await mark('owner', 'break-even', 'done', true);
  expect(await sql`select saved_at from public.toolbox_marks`).toEqual([first]);
  await expectReaders(world, 'toolbox_marks', "'one'", { owner: ['one'] });
  // A colleague or the coach doesn't see the owner's marks, even in a shared business.
  expect((await listed('colleague', { mark: 'saved' })).items).toEqual([]);
  expect((await listed('coach', { mark: 'done' })).items).toEqual([]);
  expect((await listed('owner', { mark: 'saved' })).items).toMatchObject([
    { slug: 'break-even', saved_at: expect.any(String), done_at: expect.any(String) },
  ]);

  await mark('owner', 'break-even', 'saved', false);
  await mark('owner', 'break-even', 'saved', false);
  expect((await listed('owner', { mark: 'saved' })).items).toEqual([]);
  expect((await listed('owner', { mark: 'done' })).items).toHaveLength(1);
  await mark('owner', 'break-even', 'done', false);
  expect(await sql`select from public.toolbox_marks`).toEqual([]);
});

const [{ total }] = await sql<[{ total: number }]>`
  select count(*)::int as total from public.toolbox_items where state = 'published'`;

const slugs = (list: { items: Item[] }) => list.items.map(({ slug }) => slug);

test('The beginning of a word finds it, in the title before the body', async () => {
  expect(slugs(await listed('owner', { query: 'cash fore' }))[0]).toBe('cash-forecast');
  expect(slugs(await listed('owner', { query: 'zzz' }))).toEqual([]);
  // Queries without searchable words filter nothing, and special characters aren't operators.
  for (const query of ['the', '!&|(', "'; drop zzz", '   ']) {
    expect((await listed('owner', { query })).total, query).toBe(
      query.includes('drop') ? 0 : total,
    );
  }
});

test('Area, type and level narrow it together', async () => {
  const list = await listed('owner', { area: 'financial-projection', type: 'calculator' });
  expect(slugs(list)).toEqual(['break-even']);
  const forStarting = { area: 'financial-projection', level: 'starting' };
  await publishChange(world, 'break-even', { levels: ['strong'] });
  expect(slugs(await listed('owner', forStarting))).toContain('cash-forecast');
  expect(slugs(await listed('owner', forStarting))).not.toContain('break-even');
  expect((await listed('owner', { area: 'astrology' })).total).toBe(total);
  expect((await listed('owner', { type: 'song' })).total).toBe(0);
});

test('The toolbox is read in pages that leave nothing out and repeat nothing', async () => {
  await sql`
    insert into public.toolbox_items (
      id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state
    )
    select gen_random_uuid(), 'many-' || n, 'Many', '', 'guide', 'web-design', '{starting}', 5,
      'PDF', current_date, 'published'
    from generate_series(1, 50) n`;
  const pages = await Promise.all(['1', '2', '3', '4'].map((page) => listed('owner', { page })));
  const all = pages.flatMap(slugs);
  expect(all).toHaveLength(total + 50);
  expect(new Set(all).size).toBe(total + 50);
  expect(pages.map(({ more }) => more)).toEqual([24, 48, 72, 96].map((read) => read < total + 50));
  expect(pages[0]?.total).toBe(total + 50);
  await sql`delete from public.toolbox_items where slug like 'many-%'`;
});

test('For weak areas it names the tool of the results, and once that is done the next', async () => {
  const before = (await listed('owner')).recommended;
  expect(before).toHaveLength(3);
  const [first] = before as [Item];
  await mark('owner', first.slug, 'done', true);
  const after = (await listed('owner')).recommended;
  expect(after.map(({ slug }) => slug)).not.toContain(first.slug);
  expect((await listed('owner', { mark: 'open' })).recommended).toEqual([]);
  expect((await listed('colleague')).recommended).toEqual([]);
  await mark('owner', first.slug, 'done', false);
});

test('Everyone signed in reads published items, only admins the others', async () => {
  await sql`
    insert into public.toolbox_items (
      id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state
    )
    select gen_random_uuid(), 'only-' || s, s, '', 'guide', 'web-design', '{starting}', 5, 'PDF',
      current_date, s
    from unnest(array['draft', 'published']) as s`;
  await sql`update public.toolbox_items set state = 'archived' where slug = 'only-published'`;
  const visitor = '42501 permission denied for table toolbox_items';
  expect(await whoMay(world, (tx) => tx`select from public.toolbox_items`)).toEqual(
    everyone(total, { visitor, ownerWithoutCode: 0, admin: total + 2 }),
  );
});

test('An archived tool stays with those who saved or did it, or have a copy of it', async () => {
  const open = (name: keyof World['people'], slug: string) =>
    ask(people[name], 'get_tool($1, $2)', [slug, ids.alder]);
  await mark('owner', 'role-sheet', 'saved', true);
  await ask(people.owner, "copy_tool(gen_random_uuid(), 'cash-forecast', $1)", [ids.alder]);
  for (const slug of ['role-sheet', 'cash-forecast']) {
    await ask(
      people.admin,
      "archive_tool((select id from public.toolbox_items where slug = $1), 'Replaced by another')",
      [slug],
    );
  }
  expect(await open('owner', 'role-sheet')).toMatchObject({
    archived: { at: expect.any(String), reason: 'Replaced by another' },
    fillable: false,
  });
  // The copy is everyone's who reads the business; the mark is the owner's alone.
  expect(await open('colleague', 'cash-forecast')).toMatchObject({ slug: 'cash-forecast' });
  expect(await open('colleague', 'role-sheet')).toBeNull();
  expect(await open('otherOwner', 'cash-forecast')).toBeNull();
  expect(slugs(await listed('owner'))).not.toContain('role-sheet');
  expect((await listed('owner', { mark: 'saved' })).items).toMatchObject([
    { slug: 'role-sheet', archived: true },
  ]);
  await mark('owner', 'role-sheet', 'done', true);
  expect(await refusalOf(mark('colleague', 'role-sheet', 'done', true))).toMatch(/^P0002/);
  await mark('owner', 'role-sheet', 'done', false);
  await mark('owner', 'role-sheet', 'saved', false);
  expect(await open('owner', 'role-sheet')).toBeNull();
});
