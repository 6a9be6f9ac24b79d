import type { Sql } from 'postgres';
import { idOf } from '#backend/local/demo/builders.ts';
import type { Screen } from './parts.ts';
import { projects } from './projects.ts';

const BAKERY = idOf('business Delgado Bakery');

/** Attempts of the demo owner, each with the scores of the latest one, until there are so many. */
async function attempts(sql: Sql, count: number): Promise<void> {
  await sql.unsafe('alter table public.attempts disable trigger user');
  await sql.unsafe('alter table public.area_scores disable trigger user');
  await sql`
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
  await sql.unsafe('alter table public.attempts enable trigger user');
  await sql.unsafe('alter table public.area_scores enable trigger user');
}

/** Items of the toolbox that the demo owner has saved, until there are so many. */
async function saved(sql: Sql, count: number): Promise<void> {
  await sql`
    insert into public.toolbox_items (
      id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state,
      body_markdown
    )
    select gen_random_uuid(), 'tool-' || n, 'Tool ' || n, 'Made for the bench.', 'guide',
      'web-design', '{starting}', 5 + n % 90, 'Words', current_date, 'published', 'Words.'
    from generate_series((select count(*) from public.toolbox_items) + 1, ${count}) n`;
  const [owner] = await sql<{ id: string }[]>`
    select id from auth.users where email = 'owner@demo.test'`;
  await sql`delete from public.toolbox_marks where user_id = ${owner?.id ?? null}`;
  await sql`
    insert into public.toolbox_marks (user_id, item_id, saved_at)
    select ${owner?.id ?? null}, i.id, now() - make_interval(mins => i.minutes)
    from public.toolbox_items i order by i.slug limit ${count}`;
}

/** The first page after signing in, by what grows behind it. Attempts come last: they stay. */
export const dashboardScreens: Screen[] = [
  { what: 'dashboard, projects', address: '/dashboard', fill: projects },
  { what: 'dashboard, saved tools', address: '/dashboard', fill: saved },
  { what: 'dashboard, attempts', address: '/dashboard', fill: attempts },
];
