import { expect, test } from 'vitest';
import { openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { admin } = people;

interface Overview {
  tasks: Record<string, number>;
  figures: Record<string, { total: number; weeks: number[] }>;
  views: {
    days: { day: string; views: number }[];
    routes: { route: string; views: number }[];
    total: number;
  };
}
const look = (...args: unknown[]): Promise<Overview> =>
  ask(admin, `admin_overview(${args.map((_, at) => `$${at + 1}`).join()})`, args);

test('What waits is counted, and no more once it’s done', async () => {
  const before = await look();
  expect(before.tasks).toEqual({
    unassigned: 1,
    late: 0,
    quotes: 0,
    purchase_orders: 0,
    overdue: 0,
    hubspot: 0,
    wrike: 0,
    toggles: 0,
    support: 0,
    contacts: 0,
    reports: 0,
    jobs: 0,
    mails: 0,
    old_tools: 0,
  });
  // One of them is taking place, and isn't late.
  await sql`
    update public.engagements set due_at = now() - interval '1 minute',
      due_what = case when id = ${ids.alderEngagement} then 'session' else due_what end`;
  await sql`update public.toolbox_items set reviewed_on = now() - interval '13 months'`;
  await sql`
    insert into private.jobs (kind, state) values ('mail', 'failed'), ('remove_file', 'failed')`;
  const after = await look();
  const [tools] =
    await sql`select count(*)::int as n from public.toolbox_items where state = 'published'`;
  expect(after.tasks).toMatchObject({
    unassigned: 1,
    late: 2,
    jobs: 1,
    mails: 1,
    old_tools: tools?.n,
  });
});

test('A trend counts the new ones of each of 12 weeks, and nothing older', async () => {
  await sql`update public.profiles set created_at = now() - interval '90 days'`;
  await sql`
    update public.profiles set created_at = now() - interval '15 days'
    where user_id = ${people.owner.userId}`;
  await sql`
    update public.profiles set created_at = now() - interval '1 minute'
    where user_id = ${people.coach.userId}`;
  const { people: counted } = (await look()).figures;
  expect(counted).toEqual({ total: 8, weeks: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1] });
});

test('Sessions that were held, open projects and contacts are counted too', async () => {
  const before = (await look()).figures;
  await sql`alter table public.coaching_sessions disable trigger user`;
  await sql`
    insert into public.coaching_sessions
      (id, engagement_id, coach_id, state, starts_at, time_zone, minutes, kind, closed_at)
    values
      (${crypto.randomUUID()}, ${ids.alderEngagement}, ${people.coach.userId}, 'completed',
        now() - interval '8 days', 'America/Denver', 60, 'online', now()),
      (${crypto.randomUUID()}, ${ids.alderEngagement}, ${people.coach.userId}, 'canceled',
        now() - interval '8 days', 'America/Denver', 60, 'online', now())`;
  await sql`alter table public.coaching_sessions enable trigger user`;
  await sql`insert into public.contacts (email) values ('new@example.org')`;
  const { sessions, contacts, projects } = (await look()).figures;
  expect(sessions?.total).toBe((before.sessions?.total ?? 0) + 1);
  expect(sessions?.weeks.at(-2)).toBe((before.sessions?.weeks.at(-2) ?? 0) + 1);
  expect(contacts?.total).toBe((before.contacts?.total ?? 0) + 1);
  expect(contacts?.weeks.at(-1)).toBe((before.contacts?.weeks.at(-1) ?? 0) + 1);
  expect(projects).toEqual(before.projects);
});

test('Views are by day and route, for the range that was asked for', async () => {
  await sql`
    insert into public.page_views (day, route, path, views)
    select (now() at time zone 'utc')::date - ago, route, route, views
    from (values (0, '/', 5), (1, '/', 3), (1, '/blog', 4), (8, '/', 100), (400, '/', 1000)) v (ago, route, views)`;
  const { views } = await look(7);
  expect(views.days.map((day) => day.views)).toEqual([0, 0, 0, 0, 0, 7, 5]);
  expect(views).toMatchObject({
    total: 12,
    routes: [
      { route: '/', views: 8 },
      { route: '/blog', views: 4 },
    ],
  });
  const blog = (await look(28, '/blog')).views;
  expect(blog.days).toHaveLength(28);
  expect(blog.days.slice(-2).map((day) => day.views)).toEqual([4, 0]);
  expect(blog.total).toBe(112);
  expect((await look(100_000)).views.days).toHaveLength(365);
});
