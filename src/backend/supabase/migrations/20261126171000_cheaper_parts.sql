SET local check_function_bodies = off;

DROP FUNCTION "public"."get_skills"(uuid, uuid, uuid);

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

CREATE OR REPLACE FUNCTION public.get_skills (
  p_business_id uuid,
  p_earlier     uuid   DEFAULT NULL::uuid,
  p_later       uuid   DEFAULT NULL::uuid,
  p_parts       text[] DEFAULT ARRAY['open_attempt'::text,
  'attempts'::text,
  'latest'::text,
  'trend'::text,
  'comparison'::text,
  'benchmark'::text,
  'focus'::text,
  'projects'::text,
  'coaching'::text,
  'reminders'::text]
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(json_object_agg(a.part, case a.part
    when 'open_attempt' then private.open_attempt_json(p_business_id)
    when 'attempts' then to_json(public.list_attempts(p_business_id))
    when 'latest' then private.standing_json(p_business_id)
    when 'trend' then private.trend_json(p_business_id)
    when 'comparison' then (
      select public.compare_attempts(t.id, p_earlier)
      from public.attempts t
      where t.id = coalesce(p_later, (select private.full_attempt_before(
          (select auth.uid()), p_business_id, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        )))
        and t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
    )
    when 'benchmark' then to_json(private.benchmark_json(p_business_id))
    when 'focus' then to_json(private.my_focus_json(p_business_id))
    when 'projects' then private.area_projects_json(p_business_id)
    when 'coaching' then private.coaching_json(p_business_id)
    when 'reminders' then to_json(coalesce(
      (
        select s.reminders from public.notification_settings s
        where s.user_id = (select auth.uid()) and (select private.session_ok())
      ),
      true
    ))
  end), '{}')
  -- Each once: a request may name a part a thousand times.
  from (select distinct each from unnest(p_parts) as p (each) where each is not null) as a (part)
$function$;

REVOKE ALL ON FUNCTION "public"."get_skills"(uuid, uuid, uuid, text[]) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.session_context()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_state text := private.session_state();
begin
  if v_state = 'ended' then
    return null;
  end if;
  if v_state = 'required' then
    return (
      select jsonb_build_object(
        'user_id', u.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'locale', null, 'role', private.role_of(u.id), 'second_factor', v_state,
        'businesses', '[]'::jsonb, 'deletion_due_at', null, 'unread_messages', 0,
        'unread_notifications', 0, 'message_text', false, 'programs', false, 'toggles', null
      )
      from auth.users u where u.id = v_user_id
    );
  end if;
  -- So that what a page reads next doesn't check it again.
  perform private.remember_session();
  return (
    select jsonb_build_object(
      'user_id', u.id, 'email', u.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
      'time_zone', p.time_zone, 'locale', p.locale, 'role', coalesce(r.role, 'owner'),
      'second_factor', v_state,
      'businesses', coalesce((
        select jsonb_agg(
          jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
          order by m.joined_at, b.name, b.id
        )
        from public.business_members m
        join public.businesses b on b.id = m.business_id
        where m.user_id = u.id and b.archived_at is null
      ), '[]'),
      'deletion_due_at', d.due_at,
      'unread_messages', private.unread_total(u.id),
      'unread_notifications', private.unread_notifications(u.id),
      'message_text', coalesce(n.message_text, true),
      'programs', exists (
        select from public.program_sponsors s where s.address = lower(u.email)
      ) or exists (select from public.seats s where s.owner_id = u.id),
      'toggles', public.toggles_on()
    )
    from auth.users u
    left join public.profiles p on p.user_id = u.id
    left join public.account_deletions d on d.user_id = u.id
    -- As role_of and wants do, of which every page would need both.
    left join public.staff_roles r on r.user_id = u.id
    left join public.notification_settings n on n.user_id = u.id
    where u.id = v_user_id
  );
end
$function$;

COMMENT ON FUNCTION "public"."get_skills"(uuid, uuid, uuid, text[]) IS 'What the pages about skills show for the caller''s business (null: none yet): the open quiz, attempts, the latest result, the trend, two attempts compared (the newest two by default), the benchmark, focus areas, open projects in an area, coaching, and whether the caller wants reminders at all. Of these, only p_parts, as each part is looked up by itself.';

GRANT EXECUTE ON FUNCTION "public"."get_skills"(uuid, uuid, uuid, text[]) TO "authenticated";
