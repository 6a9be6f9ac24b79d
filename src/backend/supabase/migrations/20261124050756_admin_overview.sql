SET local check_function_bodies = off;

DROP FUNCTION "public"."admin_overview"();

CREATE OR REPLACE FUNCTION private.overview_tasks (
  p_admin_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'unassigned', (select count(*) from public.engagements e where e.state = 'requested'),
    -- A coach has 5 business days to accept, which always are 7 days.
    'unaccepted', (
      select count(*) from public.engagements e
      where e.state = 'assigned' and e.assigned_at < now() - interval '7 days'
    ),
    'support', (
      select coalesce(sum(p.unread), 0)
      from public.conversation_participants p
      join public.conversations c on c.id = p.conversation_id
      where p.user_id = p_admin_id and p.left_at is null and p.unread > 0 and c.kind = 'support'
        and c.about_user_id is distinct from p_admin_id
    ),
    'reports', (select count(*) from public.message_reports r where r.state = 'open'),
    'jobs', (
      select count(*) from private.jobs j where j.state = 'failed' and j.kind <> 'mail'
    ),
    'mails', (select count(*) from private.jobs j where j.state = 'failed' and j.kind = 'mail'),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.page_views_json (
  p_days  integer,
  p_route text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.weekly_counts (
  p_from text,
  p_at   text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_weeks constant int := 12;
  v_counts jsonb;
begin
  execute format(
    $q$
      select jsonb_agg(coalesce(c.n, 0) order by w.week)
      from generate_series(1, %1$s) as w (week)
      left join (
        select %1$s - floor(extract(epoch from now() - %3$s) / 604800)::int as week, count(*) as n
        from %2$s and %3$s > now() - interval '%1$s weeks' and %3$s <= now()
        group by 1
      ) c on c.week = w.week
    $q$,
    c_weeks, p_from, p_at
  ) into v_counts;
  return v_counts;
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_overview (
  p_days  integer DEFAULT 28,
  p_route text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
      )
    ),
    'views', private.page_views_json(least(greatest(coalesce(p_days, 28), 7), 365), p_route)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_overview"(integer, text) FROM PUBLIC, "anon", "service_role";

CREATE INDEX attempts_submitted_at_idx ON public.attempts USING btree (submitted_at)
  WHERE (state = 'submitted'::text);

CREATE INDEX businesses_created_at_idx ON public.businesses USING btree (created_at)
  WHERE (archived_at IS NULL);

CREATE INDEX engagements_requested_at_idx ON public.engagements USING btree (requested_at);

COMMENT ON FUNCTION "private"."overview_tasks"(uuid) IS 'How many of each thing wait for an admin today; {name: count}.';

COMMENT ON FUNCTION "private"."page_views_json"(integer, text) IS 'Page views of the last days in UTC, today included: {days (of one route or all), routes (the 20 most read), total (of all)}.';

COMMENT ON FUNCTION "private"."weekly_counts"(text, text) IS 'How many rows of a "table where …" were added in each of the last 12 weeks, oldest first; a week is 7 days that end now.';

COMMENT ON FUNCTION "public"."admin_overview"(integer, text) IS 'An admin''s first screen: {tasks: what waits, by kind; figures: {total, weeks (new ones in each of 12 weeks)} of people, businesses, attempts (submitted) and engagements (total: open); views of the last p_days (7 to 365), by day for one route or all}. Writes an audit row.';

REVOKE ALL ON FUNCTION "private"."overview_tasks"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."page_views_json"(integer, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."weekly_counts"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_overview"(integer, text) TO "authenticated";
