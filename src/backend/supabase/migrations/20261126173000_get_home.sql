SET local check_function_bodies = off;

DROP FUNCTION "public"."get_dashboard"(uuid);

DROP FUNCTION "public"."list_news"(uuid);

CREATE OR REPLACE FUNCTION private.call_procedure (
  p_name text,
  p_args jsonb
)
  RETURNS json
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_procedure record;
  v_columns text;
  v_values text;
  v_answer json;
begin
  -- On the pages that are opened most, planned once. A call by name is planned each time.
  case p_name
    when 'get_home' then return to_json(public.get_home((p_args ->> 'p_business_id')::uuid));
    when 'get_result' then return to_json(public.get_result((p_args ->> 'p_attempt_id')::uuid));
    when 'get_coaching' then return to_json(public.get_coaching());
    when 'client_counts' then return to_json(public.client_counts());
    when 'list_clients' then
      return to_json(public.list_clients(
        (p_args ->> 'p_filter')::jsonb, (p_args ->> 'p_place')::jsonb,
        (p_args ->> 'p_limit')::integer
      ));
    when 'list_conversations' then
      return to_json(public.list_conversations(
        (p_args ->> 'p_search')::text, (p_args ->> 'p_before')::timestamp with time zone,
        (p_args ->> 'p_before_id')::uuid, (p_args ->> 'p_limit')::integer,
        (p_args ->> 'p_unread_support')::boolean
      ));
    when 'get_conversation' then
      return to_json(public.get_conversation(
        (p_args ->> 'p_id')::uuid, (p_args ->> 'p_limit')::integer, (p_args ->> 'p_around')::bigint
      ));
    when 'list_notifications' then
      return to_json(public.list_notifications(
        (p_args ->> 'p_place')::jsonb, (p_args ->> 'p_limit')::integer
      ));
    when 'get_project' then return to_json(public.get_project((p_args ->> 'p_id')::uuid));
    when 'get_business' then return to_json(public.get_business((p_args ->> 'p_id')::uuid));
    when 'get_profile' then return to_json(public.get_profile());
    when 'get_account' then return to_json(public.get_account());
    else null;
  end case;
  select p.proargnames[:p.pronargs] as names, p.proargtypes::oid[] as types into v_procedure
  from pg_catalog.pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.proname = p_name
    -- Those that write belong in requests of their own. These only record what an admin reads.
    and (p.provolatile <> 'v' or p_name ~ '^admin_' or p_name = 'get_project');
  if not found then
    raise exception 'There is no procedure % that only reads.', p_name using errcode = '42883';
  end if;
  select
    string_agg(format('%I %s', a.name, a.type::regtype), ', '),
    string_agg(format('%1$I => a.%1$I', a.name), ', ')
  into v_columns, v_values
  from unnest(v_procedure.names, v_procedure.types) as a (name, type)
  where p_args ? a.name;
  -- Text from here on: as jsonb, it would be taken apart and put together again at every step.
  if v_columns is null then
    execute format('select to_json(public.%I())', p_name) into v_answer;
  else
    execute format(
      'select to_json(public.%I(%s)) from jsonb_to_record($1) as a (%s)', p_name, v_values, v_columns
    )
    into v_answer using p_args;
  end if;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.dashboard_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
  select json_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p
      where p.user_id = (select auth.uid()) and (select private.session_ok())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'trend', private.trend_json(p_business_id),
    'focus', private.my_focus_json(p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'session', private.next_session_json(p_business_id),
    'agreed', private.agreed_actions_json(p_business_id),
    'forecast', private.own_forecast_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'events', private.my_event_places(),
    'projects', private.next_projects_json(p_business_id),
    'unread', private.unread_json((select auth.uid())),
    'tools', (
      select coalesce(json_agg(json_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where (select private.session_ok())
          and m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.news_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with caller as (
    -- What the policies would ask again for each table.
    select auth.uid() as id,
      case
        when p_business_id = any (array(select private.readable_business_ids())) then p_business_id
      end as business_id
    where (select private.session_ok())
  )
  select coalesce(json_agg(json_build_object(
    'kind', n.kind, 'id', n.id, 'title', n.title, 'by', (
      select f.full_name from public.profiles f
      where f.user_id = n.by_id and (
        f.user_id = (select c.id from caller c)
        or f.user_id = any (array(select private.ids_of_my_people()))
      )
    ), 'status', n.status, 'at', n.at
  ) order by n.at desc, n.id), '[]')
  from (
    (
      select 'notification' as kind, o.id, o.title, null::uuid as by_id, null as status,
        o.created_at as at
      from public.notifications o
      where o.user_id = (select c.id from caller c) and o.created_at > now() - interval '30 days'
      order by o.created_at desc limit 6
    )
    union all
    (
      -- Each project once, with its latest step by someone else.
      select distinct on (e.project_id) 'moved', p.id, p.title, e.actor_id, e.to_status, e.at
      from (
        select * from public.project_events x
        where x.business_id = (select c.business_id from caller c) and x.kind = 'moved'
          and x.actor_id is distinct from (select c.id from caller c)
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) e
      join public.projects p on p.id = e.project_id and p.business_id = e.business_id
      order by e.project_id, e.at desc
    )
    union all
    (
      select distinct on (u.project_id) 'update', p.id, p.title, u.author_id, null, u.at
      from (
        select * from public.project_updates x
        where x.business_id = (select c.business_id from caller c)
          and x.author_id is distinct from (select c.id from caller c)
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) u
      join public.projects p on p.id = u.project_id and p.business_id = u.business_id
      order by u.project_id, u.at desc
    )
    order by 6 desc, 2 limit 6
  ) n
$function$;

CREATE OR REPLACE FUNCTION public.get_home (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if private.is_coach() then
    return json_build_object(
      'today', public.coach_today(), 'dashboard', null, 'news', '[]'::json
    );
  end if;
  return json_build_object(
    'today', null, 'dashboard', private.dashboard_json(p_business_id),
    'news', private.news_json(p_business_id)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_home"(uuid) FROM PUBLIC, "anon", "service_role";

COMMENT ON FUNCTION "private"."dashboard_json"(uuid) IS 'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result and those before it, focus areas, coaching, the next session, what was agreed in coaching, the cash forecast, open invitations, places at events, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

COMMENT ON FUNCTION "private"."news_json"(uuid) IS 'What others and the product did in the last 30 days, for the caller''s dashboard, at most six, newest first: [{kind ("notification"; "moved" or "update" of a project of the business), id (the notification''s or project''s), title, by (a name, if the caller may see it), status (that a project moved to), at}].';

COMMENT ON FUNCTION "public"."get_home"(uuid) IS 'The caller''s first page: what a coach does today (see coach_today), and for everyone else their dashboard for a business (null: none yet; see dashboard_json) and the news about it (see news_json). {today, dashboard, news}, of which today or dashboard is null.';

REVOKE ALL ON FUNCTION "private"."dashboard_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."news_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."get_home"(uuid) TO "authenticated";

COMMENT ON FUNCTION "private"."full_attempt_before"(uuid, uuid, timestamptz, uuid) IS 'The id of the newest full result of a person and business before another one. By the index, where the policy on attempts would have all of them sorted. Only the id, and it checks nothing: the function that asks has checked that the caller may read the later result.';
