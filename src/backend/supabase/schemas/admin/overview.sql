-- The first screen of an admin: what needs doing today, how the product grows, and which pages are
-- read.

create index businesses_created_at_idx on public.businesses (created_at) where archived_at is null;
create index attempts_submitted_at_idx on public.attempts (submitted_at) where state = 'submitted';

create index coaching_sessions_held_idx on public.coaching_sessions (starts_at)
  where state = 'completed';
create index contacts_created_at_idx on public.contacts (created_at);

create function private.weekly_counts(p_from text, p_at text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  c_weeks constant int := 12;
  v_counts jsonb;
begin
  execute format(
    $q$
      select jsonb_agg((
        -- Week by week, each a range of an index.
        select count(*) from %2$s
          and %3$s > now() - (%1$s + 1 - w.week) * interval '1 week'
          and %3$s <= now() - (%1$s - w.week) * interval '1 week'
      ) order by w.week)
      from generate_series(1, %1$s) as w (week)
    $q$,
    c_weeks, p_from, p_at
  ) into v_counts;
  return v_counts;
end
$$;
comment on function private.weekly_counts(text, text) is
  'How many rows of a "table where …" were added in each of the last 12 weeks, oldest first; a week is 7 days that end now.';

create function private.overview_tasks(p_admin_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'unassigned', (select count(*) from public.engagements e where e.state = 'requested'),
    -- The rule of private.is_late, in a form that an index answers.
    'late', (
      select count(*) from public.engagements e
      where e.closed_at is null and e.due_at < now() and e.due_what <> 'session'
    ),
    'quotes', (
      select count(*) from public.orders o where o.state = 'draft' and o.method = 'purchase_order'
    ),
    'purchase_orders', (select count(*) from public.orders o where o.state = 'po_received'),
    'overdue', (
      select count(*) from public.orders o
      where o.state = 'invoiced' and o.invoice_due_on < private.coaching_day()
    ),
    'support', (select count(*) from private.unread_support(p_admin_id)),
    'contacts', (select count(*) from public.contacts c where c.waiting > 0),
    'reports', (select count(*) from public.message_reports r where r.state = 'open'),
    'jobs', (
      select count(*) from private.jobs j
      where j.kind <> 'mail'
        and (j.state = 'failed' or j.every is not null and j.last_error is not null)
    ),
    'mails', (select count(*) from private.jobs j where j.state = 'failed' and j.kind = 'mail'),
    'hubspot', (
      select count(*) from private.hubspot_records r
      where r.state = 'refused' or r.id in (
        select l.contact_id from private.hubspot_links l where l.linked_at is null
      )
    ),
    'wrike', (select count(*) from private.wrike_mirrors m where m.state = 'refused'),
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.review_due_on < current_date
    )
  )
$$;
comment on function private.overview_tasks(uuid) is
  'How many of each thing wait for an admin today; {name: count}.';

create function private.page_views_json(p_days int, p_route text) returns jsonb
language sql stable security definer set search_path = '' as $$
  with views as (
    select v.day, v.route, sum(v.views) as n
    from public.page_views v
    where v.day > (now() at time zone 'utc')::date - p_days
      and v.day <= (now() at time zone 'utc')::date
    group by v.day, v.route
  )
  select jsonb_build_object(
    'days', (
      select jsonb_agg(
        jsonb_build_object('day', d.day, 'views', coalesce(n.views, 0)) order by d.day
      )
      from (
        select (now() at time zone 'utc')::date - ago as day from generate_series(0, p_days - 1) as ago
      ) d
      left join (
        select v.day, sum(v.n) as views from views v
        where p_route is null or v.route = p_route
        group by v.day
      ) n on n.day = d.day
    ),
    'routes', (
      select coalesce(jsonb_agg(
        jsonb_build_object('route', r.route, 'views', r.n) order by r.n desc, r.route
      ), '[]')
      from (
        select v.route, sum(v.n) as n from views v group by v.route order by 2 desc, 1 limit 20
      ) r
    ),
    'total', (select coalesce(sum(v.n), 0) from views v)
  )
$$;
comment on function private.page_views_json(int, text) is
  'Page views of the last days in UTC, today included: {days (of one route or all), routes (the 20 most read), total (of all)}.';

create function public.admin_overview(p_days int default 28, p_route text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
begin
  perform private.audit('overview.read', 'overview', null);
  return jsonb_build_object(
    'tasks', private.overview_tasks(v_admin_id),
    'figures', jsonb_build_object(
      'people', jsonb_build_object(
        'total', (select count(*) from public.profiles),
        'weeks', private.weekly_counts('public.profiles p where true', 'p.created_at')
      ),
      'businesses', jsonb_build_object(
        'total', (select count(*) from public.businesses b where b.archived_at is null),
        'weeks', private.weekly_counts(
          'public.businesses b where b.archived_at is null', 'b.created_at'
        )
      ),
      'attempts', jsonb_build_object(
        'total', (select count(*) from public.attempts t where t.state = 'submitted'),
        'weeks', private.weekly_counts(
          'public.attempts t where t.state = ''submitted''', 't.submitted_at'
        )
      ),
      'engagements', jsonb_build_object(
        'total', (select count(*) from public.engagements e where e.closed_at is null),
        'weeks', private.weekly_counts('public.engagements e where true', 'e.requested_at')
      ),
      'sessions', jsonb_build_object(
        'total', (select count(*) from public.coaching_sessions s where s.state = 'completed'),
        'weeks', private.weekly_counts(
          'public.coaching_sessions s where s.state = ''completed''', 's.starts_at'
        )
      ),
      'projects', jsonb_build_object(
        'total', (
          select count(*) from public.projects p
          where p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
        ),
        'weeks', private.weekly_counts('public.projects p where true', 'p.created_at')
      ),
      'contacts', jsonb_build_object(
        'total', (select count(*) from public.contacts),
        'weeks', private.weekly_counts('public.contacts c where true', 'c.created_at')
      ),
      'orders', jsonb_build_object(
        'total', (select count(*) from public.orders),
        'weeks', private.weekly_counts('public.orders o where true', 'o.created_at')
      )
    ),
    'views', private.page_views_json(least(greatest(coalesce(p_days, 28), 7), 365), p_route)
  );
end
$$;
comment on function public.admin_overview(int, text) is
  'An admin''s first screen: {tasks: what waits, by kind; figures: {total, weeks (new ones in each of 12 weeks)} of people, businesses, attempts (submitted), engagements (total: open), sessions (held), projects (total: open), contacts and orders; views of the last p_days (7 to 365), by day for one route or all}. Writes an audit row.';
grant execute on function public.admin_overview(int, text) to authenticated;
