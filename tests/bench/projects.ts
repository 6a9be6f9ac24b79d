import type { Sql } from 'postgres';
import { idOf } from '#backend/local/demo/builders.ts';
import type { Screen } from './parts.ts';

const BAKERY = idOf('business Delgado Bakery');
const FORECAST = idOf('project A cash forecast that is updated every Friday');

/** Projects of the bakery in every status, with and without a date, until there are so many. */
export async function projects(sql: Sql, count: number): Promise<void> {
  await sql.unsafe('alter table public.projects disable trigger user');
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
  await sql.unsafe('alter table public.projects enable trigger user');
}

/** Tasks of one project until there are so many. */
async function tasks(sql: Sql, count: number): Promise<void> {
  await sql.unsafe('alter table public.project_tasks disable trigger user');
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
  await sql.unsafe('alter table public.project_tasks enable trigger user');
  await sql`
    update public.projects p set (task_count, done_count) = (
      select count(*), count(*) filter (where t.state = 'done')
      from public.project_tasks t where t.project_id = p.id and t.removed_at is null
    )
    where p.id = ${FORECAST}`;
}

const LIST = '/dashboard/projects';

/** The screens of projects. Each begins again from few rows, so that all are measured alike. */
export const projectScreens: Screen[] = [
  { what: 'tasks of a project', address: `${LIST}/${FORECAST}`, fill: tasks },
  { what: 'projects, table', address: LIST, fill: projects },
  { what: 'projects, board', address: `${LIST}?view=board`, fill: projects },
  {
    what: 'projects of one skill by date',
    address: `${LIST}?sort=due&area=web-design`,
    fill: projects,
  },
  { what: 'projects, a word of all', address: `${LIST}?sort=title&q=proj`, fill: projects },
  { what: 'projects, a word of one', address: `${LIST}?status=all&q=giraffe`, fill: projects },
];
