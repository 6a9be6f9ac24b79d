/** Admins' lists, which must not get slower as an organization grows. */
import type { Fill, ScreenCase } from './screens.ts';

/** Ids of rows that the bench made start with this, so that they can be removed again. */
export const OURS = 'bbbbbbbb-';
export const idOf = (kind: number) =>
  `('${OURS}000${kind}-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;

/** The step between rows that fit a filter: 25 of 100 fit, and a smaller share of many. */
export const step = (count: number, ofMany: number) => (count === 100 ? 4 : ofMany);

/** The log of what was done about as many people. */
const audit: Fill = async (sql, count) => {
  await people(sql, count);
  await sql`delete from public.audit_log where reason = 'Made for the bench'`;
  await sql.unsafe(`
    insert into public.audit_log (at, actor_id, action, entity, entity_id, reason, details)
    select now() - make_interval(mins => n),
      case when n % 3 = 0 then (select user_id from public.staff_roles where role = 'admin' limit 1) end,
      case when n % ${step(count, 500)} = 0 then 'account.block'
        when n % 5 = 0 then 'project.read' else 'person.read' end,
      case when n % 5 = 0 then 'project' else 'user' end,
      case when n % 5 = 0 then ${idOf(3)} else ${idOf(1)} end::text, 'Made for the bench',
      case when n % 5 = 0 then jsonb_build_object(
        'business_id', '${OURS}0002-4000-8000-' || lpad((1 + n % least(${count}, 1000))::text, 12, '0')
      ) else '{}' end
    from generate_series(1, ${count}) n`);
};

/** The id of one of up to 1,000 people (1) or businesses (2) that the bench made. */
const ownerOf = (kind: number, count: number) =>
  `('${OURS}000${kind}-4000-8000-' || lpad((1 + n % least(${count}, 1000))::text, 12, '0'))::uuid`;

/** In the names of 25 of the last 100 rows, so that a search finds as many of few rows as of many. */
export const rare = (count: number) =>
  `case when n > ${count} - 100 and n % 4 = 0 then ' Giraffe' else '' end`;

/** People with a business each. */
export const people: Fill = async (sql, count) => {
  await sql`delete from private.person_words where user_id::text like ${`${OURS}%`}`;
  await sql`delete from public.business_members where user_id::text like ${`${OURS}%`}`;
  await sql`delete from public.businesses where id::text like ${`${OURS}%`}`;
  await sql`delete from public.profiles where user_id::text like ${`${OURS}%`}`;
  await sql`delete from auth.users where id::text like ${`${OURS}%`}`;
  await sql.unsafe(`
    insert into auth.users (
      id, aud, role, email, email_confirmed_at, created_at, updated_at, last_sign_in_at
    )
    select ${idOf(1)}, 'authenticated', 'authenticated', 'person' || n || '@bench.test',
      case when n % ${step(count, 10)} > 0 then now() end, now() - make_interval(mins => n), now(),
      now() - make_interval(mins => n)
    from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    insert into public.profiles (user_id, full_name, created_at)
    select ${idOf(1)}, 'Person ' || n, now() - make_interval(mins => n)
    from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    insert into public.businesses (id, name, city, industry, created_at, updated_at, archived_at)
    select ${idOf(2)}, 'Shop ' || n, 'Taos', 'Retail', now() - make_interval(mins => n),
      now() - make_interval(mins => n), case when n % ${step(count, 10)} = 0 then now() end
    from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    insert into public.business_members (business_id, user_id, role)
    select ${idOf(2)}, ${idOf(1)}, 'owner' from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    insert into private.person_words (user_id, words)
    select ${idOf(1)}, private.name_words(
      'Person ' || n || ${rare(count)} || ' person' || n || '@bench.test Shop ' || n
    ) || array_to_tsvector(
      case when n % ${step(count, 10)} = 0 then array['=unconfirmed'] else '{}' end
    )
    from generate_series(1, ${count}) n`);
};

const projects: Fill = async (sql, count) => {
  await sql`delete from private.project_words where project_id::text like ${`${OURS}%`}`;
  await sql`delete from public.projects where id::text like ${`${OURS}%`}`;
  await people(sql, Math.min(count, 1000));
  await sql.unsafe(`
    insert into public.projects (id, business_id, title, outcome, area_key, due_on, status, updated_at)
    select ${idOf(3)},
      ${ownerOf(2, count)},
      'Project ' || n, 'Made for the bench', case when n % 2 = 0 then 'web-design' end,
      case when n % 3 > 0 then current_date + (n % 400) end,
      (array['draft', 'planned', 'in_progress', 'in_review', 'done', 'canceled'])[1 + n % 6],
      now() - make_interval(mins => n)
    from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    insert into private.project_words (project_id, words)
    select p.id, private.name_words(p.title || ' ' || b.name)
    from public.projects p join public.businesses b on b.id = p.business_id
    where p.id::text like '${OURS}%'
    on conflict do nothing`);
};

/** A version of the quiz that 25 attempts have. */
const RARE_VERSION = `${OURS}0008-4000-8000-000000000001`;

/** Quizzes, mostly finished, of businesses that took several and have one open at most. */
const attempts: Fill = async (sql, count) => {
  await sql`delete from private.attempt_words where attempt_id::text like ${`${OURS}%`}`;
  await sql`delete from public.attempts where id::text like ${`${OURS}%`}`;
  await sql`
    insert into public.quiz_versions (id, number, state, title, published_at)
    values (${RARE_VERSION}, 999, 'retired', 'Made for the bench', now())
    on conflict do nothing`;
  await people(sql, Math.min(count, 1000));
  await sql.unsafe(`
    insert into public.attempts (
      id, user_id, business_id, version_id, kind, state, started_at, submitted_at, voided_at,
      void_reason
    )
    select ${idOf(7)}, ${ownerOf(1, count)}, ${ownerOf(2, count)},
      case when n % ${step(count, count / 25)} = 1 then '${RARE_VERSION}' else v.id end, 'full', s.state,
      now() - make_interval(mins => n + 30),
      case when s.state in ('submitted', 'voided') then now() - make_interval(mins => n) end,
      case when s.state = 'voided' then now() end,
      case when s.state = 'voided' then 'Made for the bench' end
    from generate_series(1, ${count}) n
    cross join (select id from public.quiz_versions where state = 'published' limit 1) v
    cross join lateral (
      select case when n % ${step(count, count / 25)} = 0 then 'voided'
        when n % 10 = 3 then 'expired' when n % 10 = 5 and n <= 1000 then 'in_progress'
        else 'submitted' end as state
    ) s`);
  await sql.unsafe(`
    insert into private.attempt_words (attempt_id, words)
    select ${idOf(7)}, private.name_words('Shop Person ' || n || ${rare(count)})
    from generate_series(1, ${count}) n`);
};

const jobs: Fill = async (sql, count) => {
  await sql`delete from private.jobs where payload ->> 'to' like '%@bench.test'`;
  await sql`
    insert into private.jobs (kind, payload, state, created_at, run_at, finished_at, last_error)
    select case when n % ${step(count, 500)} = 1 then 'remove_file' else 'mail' end,
      jsonb_build_object('to', 'person' || n || '@bench.test', 'template', 'notice'),
      case when n % ${step(count, 20)} <= 1 then 'failed' else 'done' end,
      now() - make_interval(mins => n::int), now() - make_interval(mins => n::int), now(),
      case when n % ${step(count, 20)} <= 1 then 'No such mailbox.' end
    from generate_series(1, ${count}) n`;
};

const contacts: Fill = async (sql, count) => {
  await sql`delete from public.contacts where email like '%@bench.test'`;
  await sql.unsafe(`
    insert into public.contacts (
      email, name, business, created_at, last_active_at, newsletter, consented_at, consent_wording,
      messages, waiting
    )
    select 'contact' || n || '@bench.test', 'Person ' || n || ${rare(count)}, 'Shop ' || n,
      now() - make_interval(mins => n), now() - make_interval(mins => n),
      case when n % ${step(count, 10)} = 0 then 'subscribed' else 'none' end, now(), 'Made for the bench',
      (n % ${step(count, 50)} = 0)::int, (n % ${step(count, 50)} = 0)::int
    from generate_series(1, ${count}) n`);
};

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

const screen = (what: string, address: string, fill: Fill): ScreenCase => ({
  what,
  address,
  fill,
  email: 'admin@demo.test',
  many: 100_000,
});

/** Each list from the top, with a search that few rows fit and one that all of them fit. */
export const adminScreens: ScreenCase[] = [
  screen('audit log', '/admin/audit', audit),
  screen('audit log, one action', '/admin/audit?action=project.read', audit),
  screen('audit log, only changes', '/admin/audit?kind=changes', audit),
  screen('audit log, a word of nobody', '/admin/audit?q=giraffe', audit),
  screen(
    'audit log of a business',
    `/admin/audit?business=${OURS}0002-4000-8000-000000000007`,
    audit,
  ),
  screen('people', '/admin/people', people),
  screen('people, unconfirmed', '/admin/people?state=unconfirmed', people),
  screen('people, blocked', '/admin/people?state=blocked', people),
  screen('people, a word of all', '/admin/people?q=person', people),
  screen('people, a word of 25', '/admin/people?q=giraffe', people),
  screen('businesses', '/admin/businesses', people),
  screen('businesses by name', '/admin/businesses?sort=name', people),
  screen('businesses, a word of all', '/admin/businesses?q=shop', people),
  screen('businesses, archived', '/admin/businesses?state=archived', people),
  screen('businesses without coaching', '/admin/businesses?coaching=none', people),
  screen('all projects', '/admin/projects', projects),
  screen('all projects by due date', '/admin/projects?sort=due', projects),
  screen('all projects, overdue', '/admin/projects?status=late&sort=due', projects),
  screen('all projects, drafts by due date', '/admin/projects?status=draft&sort=due', projects),
  screen('all projects, a word of all', '/admin/projects?q=project', projects),
  screen('all quizzes', '/admin/quiz', attempts),
  screen('all quizzes, oldest first', '/admin/quiz?sort=oldest', attempts),
  screen('all quizzes, finished', '/admin/quiz?state=submitted', attempts),
  screen('all quizzes, set aside', '/admin/quiz?state=voided', attempts),
  screen('all quizzes, of a rare version', `/admin/quiz?version=${RARE_VERSION}`, attempts),
  screen('all quizzes, finished lately', `/admin/quiz?since=${yesterday}`, attempts),
  screen('all quizzes, finished since long', '/admin/quiz?since=2020-01-01', attempts),
  screen('all quizzes, a word of all', '/admin/quiz?q=person', attempts),
  screen('all quizzes, a word of 25', '/admin/quiz?q=giraffe', attempts),
  screen('contacts', '/admin/contacts-summary', contacts),
  screen('contacts by name', '/admin/contacts-summary?sort=name', contacts),
  screen('contacts, a word of all', '/admin/contacts-summary?q=person', contacts),
  screen('contacts, a word of 25', '/admin/contacts-summary?q=giraffe', contacts),
  screen('contacts, subscribed', '/admin/contacts-summary?consent=subscribed', contacts),
  screen('contacts that wait', '/admin/contacts-summary?show=waiting', contacts),
  screen('jobs', '/admin/jobs', jobs),
  screen('failed jobs', '/admin/jobs?state=failed', jobs),
  screen('failed jobs that aren’t email', '/admin/jobs?state=failed&kind=other', jobs),
  screen('jobs, a word of all', '/admin/jobs?q=person', jobs),
];
