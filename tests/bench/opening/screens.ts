/** Screens with lists that must not get slower as they grow. */
import type { TransactionSql } from 'postgres';
import { BAKERY, FORECAST } from '../site.ts';

/** Fills a table up to a number of rows; no trigger fires and no foreign key is checked. */
export type Fill = (sql: TransactionSql, count: number) => Promise<unknown>;

/** A screen to open with few and with many rows. */
export interface ScreenCase {
  what: string;
  address: string;
  fill: Fill;
  /** Who opens it. */
  email: string;
  many: number;
}

const tools: Fill = (sql, count) => sql`
  insert into public.toolbox_items (
    id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state,
    body_markdown
  )
  select gen_random_uuid(), 'tool-' || n, 'Tool ' || n, 'Made for the bench.', 'guide',
    'web-design', '{starting}', 5 + n % 90, 'Words', current_date, 'published',
    repeat('Figures and words of a tool. ', 40)
  from generate_series((select count(*) from public.toolbox_items) + 1, ${count}) n`;

const snapshots: Fill = (sql, count) => sql`
  insert into public.business_snapshots (
    id, business_id, taken_on, full_time, revenue_minor, currency
  )
  select gen_random_uuid(), ${BAKERY}, current_date - 1000 - n::int, 3, 100000 + n, 'USD'
  from generate_series(
    (select count(*) from public.business_snapshots where business_id = ${BAKERY}) + 1, ${count}
  ) n`;

/** Projects of the bakery in every status, with and without a date. */
const projects: Fill = async (sql, count) => {
  await sql`delete from public.projects where outcome like 'Made for the bench%'`;
  await sql`
    insert into public.projects (
      id, business_id, title, outcome, area_key, due_on, status, blocked_reason, updated_at
    )
    select gen_random_uuid(), ${BAKERY}, 'Project ' || n,
      'Made for the bench' || case when n = 50 then ', giraffe' else '' end,
      case when n % 2 = 0 then 'web-design' end,
      case when n % 3 > 0 then current_date + (n % 400)::int end, s.status,
      case when s.status = 'blocked' then 'Waits' end, now() - make_interval(mins => n::int)
    from generate_series(
      (select count(*) from public.projects where business_id = ${BAKERY}) + 1, ${count}
    ) n
    join unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled'])
      with ordinality as s (status, place) on s.place = n % 7 + 1`;
};

const tasks: Fill = async (sql, count) => {
  await sql`
    insert into public.project_tasks (
      id, project_id, business_id, title, state, done_at, position
    )
    select gen_random_uuid(), ${FORECAST}, ${BAKERY}, 'Task ' || n,
      case when n % 4 = 0 then 'done' else 'todo' end, case when n % 4 = 0 then now() end,
      1000000 + n * 1024
    from generate_series(
      (select count(*) from public.project_tasks where project_id = ${FORECAST}) + 1, ${count}
    ) n`;
  await sql`
    update public.projects p set (task_count, done_count) = (
      select count(*), count(*) filter (where t.state = 'done')
      from public.project_tasks t where t.project_id = p.id and t.removed_at is null
    )
    where p.id = ${FORECAST}`;
};

/** Toolbox items that the demo owner has saved. */
const saved: Fill = async (sql, count) => {
  await tools(sql, count);
  const [owner] = await sql<{ id: string }[]>`
    select id from auth.users where email = 'owner@demo.test'`;
  await sql`delete from public.toolbox_marks where user_id = ${owner?.id ?? null}`;
  await sql`
    insert into public.toolbox_marks (user_id, item_id, saved_at)
    select ${owner?.id ?? null}, i.id, now() - make_interval(mins => i.minutes)
    from public.toolbox_items i order by i.slug limit ${count}`;
};

/** Attempts by the demo owner, each with the latest one's scores. */
const attempts: Fill = (sql, count) => sql`
      with latest as (
        select a.* from public.attempts a
        where a.business_id = ${BAKERY} and a.state = 'submitted' and a.kind = 'full'
        order by a.submitted_at desc limit 1
      ), made as (
        insert into public.attempts (
          id, user_id, business_id, version_id, kind, state, started_at, submitted_at, overall_score
        )
        select gen_random_uuid(), l.user_id, ${BAKERY}, l.version_id, 'full', 'submitted',
          l.started_at - make_interval(days => 400 + n::int),
          l.submitted_at - make_interval(days => 400 + n::int), l.overall_score
        from latest l, generate_series(
          (select count(*) from public.attempts where business_id = ${BAKERY}) + 1, ${count}
        ) n
        returning id
      )
      insert into public.area_scores (
        attempt_id, area_key, score, level, asked, applicable, answered, weakest_question_key
      )
      select m.id, s.area_key, s.score, s.level, s.asked, s.applicable, s.answered,
        s.weakest_question_key
      from made m, public.area_scores s where s.attempt_id = (select id from latest)`;

const LIST = '/dashboard/projects';

const screen = (what: string, address: string, fill: Fill): ScreenCase => ({
  what,
  address,
  fill,
  email: 'owner@demo.test',
  many: 10_000,
});

/** Owners' screens. Attempts come last, as they stay. */
export const ownerScreens: ScreenCase[] = [
  screen('toolbox', '/dashboard/toolbox', tools),
  screen('figures of a business', `/dashboard/businesses/${BAKERY}`, snapshots),
  screen('tasks of a project', `${LIST}/${FORECAST}`, tasks),
  screen('projects, table', LIST, projects),
  screen('projects, board', `${LIST}?view=board`, projects),
  screen('projects of one skill by date', `${LIST}?sort=due&area=web-design`, projects),
  screen('projects, a word of all', `${LIST}?sort=title&q=proj`, projects),
  screen('projects, a word of one', `${LIST}?status=all&q=giraffe`, projects),
  screen('dashboard, projects', '/dashboard', projects),
  screen('dashboard, saved tools', '/dashboard', saved),
  screen('dashboard, attempts', '/dashboard', attempts),
];
