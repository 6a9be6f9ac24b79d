SET local check_function_bodies = off;

DROP FUNCTION "private"."coaching_action_json"(public.coaching_actions);

DROP FUNCTION "private"."excerpt"(text);

DROP FUNCTION "private"."recommendation_json"(public.coach_recommendations);

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
    when 'get_dashboard' then
      return to_json(public.get_dashboard((p_args ->> 'p_business_id')::uuid));
    when 'coach_today' then return to_json(public.coach_today());
    when 'list_news' then return to_json(public.list_news((p_args ->> 'p_business_id')::uuid));
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

CREATE OR REPLACE FUNCTION private.client_counts (
  p_coach_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_object_agg(s.state, case when c.is_coach then (
    select count(*) from (
      -- In the order of an index, so that nothing else is read.
      select from private.engagement_names e
      where e.coach_id = p_coach_id and e.state = s.state
      order by e.at, e.id limit 1000
    ) n
  ) else 0 end)
  from unnest(array['assigned', 'accepted', 'active', 'paused']) as s (state)
  cross join (select private.role_of(p_coach_id) = 'coach' as is_coach) c
$function$;

CREATE OR REPLACE FUNCTION private.coaching_action_json (
  p_action public.coaching_actions
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'id', p_action.id, 'session_id', p_action.session_id, 'body', p_action.body,
    'doer', p_action.doer, 'due_on', p_action.due_on, 'state', p_action.state,
    'focus_area_id', p_action.focus_area_id, 'area_key', p_action.area_key,
    'tool', case when p_action.tool_slug is not null then private.tool_link(p_action.tool_slug) end,
    'created_at', p_action.created_at, 'settled_at', p_action.settled_at
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.excerpt (
  p_text text
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_line text := btrim(regexp_replace(left(coalesce(p_text, ''), 600), '\s+', ' ', 'g'));
begin
  return case when char_length(v_line) > 140 then rtrim(left(v_line, 139)) || '…' else v_line end;
end
$function$;

CREATE OR REPLACE FUNCTION private.person_json (
  p_user_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'id', p.user_id, 'name', coalesce(nullif(p.full_name, ''), 'No name given'),
      -- As role_of says it.
      'avatar_path', p.avatar_path, 'role', coalesce(r.role, 'owner')
    )
    from public.profiles p
    left join public.staff_roles r on r.user_id = p.user_id
    where p.user_id = p_user_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.recommendation_json (
  p_recommended public.coach_recommendations
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'id', p_recommended.id, 'kind', p_recommended.kind,
    'tool', case
      when p_recommended.tool_slug is not null then private.tool_link(p_recommended.tool_slug)
    end, 'title', p_recommended.title,
    'area_key', p_recommended.area_key, 'note', p_recommended.note, 'state', p_recommended.state,
    'project_id', p_recommended.project_id, 'created_at', p_recommended.created_at,
    'settled_at', p_recommended.settled_at
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.sessions_left_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with g as (
    select * from private.grants_of(p_business_id) x where x.ends_at > now()
  )
  select jsonb_build_object(
    -- As in sessions_left, of the same grants.
    'left', (
      select coalesce(sum(greatest(g.sessions - g.used, 0)), 0)::int
      from g where g.starts_at <= now() and not g.is_held
    ),
    'booked', cardinality(private.booked_times(p_business_id)),
    'grants', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', g.id, 'kind', g.kind, 'sessions', g.sessions, 'left', greatest(g.sessions - g.used, 0),
        'starts_at', g.starts_at, 'ends_at', g.ends_at, 'held', g.is_held
      ) order by g.ends_at, g.id)
      from g where g.starts_at <= now() and g.sessions > 0
    ), '[]'),
    -- The next month of a membership.
    'next_at', (
      select min(g.starts_at) from g
      where g.starts_at > now() and g.sessions > g.used and not g.is_held
    )
  )
$function$;

COMMENT ON FUNCTION "private"."excerpt"(text) IS 'The start of a text as one line of at most 140 characters.';

REVOKE ALL ON FUNCTION "private"."coaching_action_json"(public.coaching_actions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."excerpt"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recommendation_json"(public.coach_recommendations) FROM PUBLIC;
