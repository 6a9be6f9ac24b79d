import { beforeEach, expect, test } from 'vitest';
import { openWorld, refusalOf } from '../fixtures/personas.ts';

const world = await openWorld();
const { sql } = world;
beforeEach(() => sql`truncate public.page_views`);

const count = (route: string, path: string) =>
  sql`select private.count_page_view(${route}, ${path})`;
const counted = async (): Promise<[string, string, number][]> =>
  (
    await sql`
      select route, path, views::int from public.page_views
      where day = (now() at time zone 'utc')::date and views > 0 and path not like '/made/up-%'
        and route not like '/made-up-%'
      order by route, path`
  ).map(({ route, path, views }) => [route, path, views]);

test('A query, which could hold anything, is stored nowhere', async () => {
  expect(await refusalOf(count('/about', '/about?email=a@example.test'))).toMatch(/^23514 /);
});

test('Views add up by day, route and path, also at the same moment', async () => {
  await Promise.all(Array.from({ length: 6 }, () => count('/blog/[slug]', '/blog/cash')));
  await count('/blog/[slug]', '/blog/hiring');
  await sql`update public.page_views set day = day - 1 where path = '/blog/hiring'`;
  await count('/blog/[slug]', '/blog/hiring');
  expect(await counted()).toEqual([
    ['/blog/[slug]', '/blog/cash', 6],
    ['/blog/[slug]', '/blog/hiring', 1],
  ]);
});

test('Beyond 5,000 paths a day a new one counts for its route, and known ones go on', async () => {
  await count('/blog/[slug]', '/blog/cash');
  await sql`
    insert into public.page_views
    select (now() at time zone 'utc')::date, '/made/[slug]', '/made/up-' || n, 1
    from generate_series(1, 4998) as n`;
  await count('/blog/[slug]', '/blog/last-place');
  await count('/blog/[slug]', '/blog/too-many');
  await count('/events/[slug]', '/events/too-many');
  await count('/blog/[slug]', '/blog/cash');
  await count('/about', '/about');
  expect(await counted()).toEqual([
    ['/about', '/about', 1],
    ['/blog/[slug]', '/blog/[slug]', 1],
    ['/blog/[slug]', '/blog/cash', 2],
    ['/blog/[slug]', '/blog/last-place', 1],
    ['/events/[slug]', '/events/[slug]', 1],
  ]);
});

test('Beyond 200 routes a day a new one is unknown', async () => {
  await count('/about', '/about');
  await sql`
    insert into public.page_views
    select (now() at time zone 'utc')::date, '/made-up-' || n, '/made-up-' || n, 1
    from generate_series(1, 199) as n`;
  await count('/pricing', '/pricing');
  await count('/services', '/services');
  await count('/about', '/about');
  expect(await counted()).toEqual([
    ['/about', '/about', 2],
    ['unknown', 'unknown', 2],
  ]);
});

test('Views are kept for 25 months, and the schedule deletes what is older', async () => {
  await sql`
    insert into public.page_views
    select (now() at time zone 'utc')::date - age, '/about', '/about', 1
    from unnest(array[interval '0', interval '25 months', interval '25 months 1 day']) as age`;
  await sql`
    update private.jobs set run_at = now() where kind = 'delete_old_page_views'`;
  const [row] = await sql`select private.tick() -> 'delete_old_page_views' as deleted`;
  expect(row?.deleted).toBe(1);
  const [left] = await sql`select count(*)::int as count from public.page_views`;
  expect(left?.count).toBe(2);
});
