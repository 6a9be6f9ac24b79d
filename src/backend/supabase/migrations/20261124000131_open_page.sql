SET local check_function_bodies = off;

DROP FUNCTION "private"."second_factor"(uuid);

DROP FUNCTION "private"."session_open"();

CREATE OR REPLACE FUNCTION private.call_procedure (
  p_name text,
  p_args jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_procedure record;
  v_columns text;
  v_values text;
  v_answer jsonb;
begin
  select p.proargnames[:p.pronargs] as names, p.proargtypes::oid[] as types into v_procedure
  from pg_catalog.pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.proname = p_name
    -- Those that write belong in requests of their own. These two only record an admin's reads.
    and (p.provolatile <> 'v' or p_name in ('admin_overview', 'get_project'));
  if not found then
    raise exception 'There is no procedure % that only reads.', p_name using errcode = '42883';
  end if;
  select
    string_agg(format('%I %s', a.name, a.type::regtype), ', '),
    string_agg(format('%1$I => a.%1$I', a.name), ', ')
  into v_columns, v_values
  from unnest(v_procedure.names, v_procedure.types) as a (name, type)
  where p_args ? a.name;
  if v_columns is null then
    execute format('select to_jsonb(public.%I())', p_name) into v_answer;
  else
    execute format(
      'select to_jsonb(public.%I(%s)) from jsonb_to_record($1) as a (%s)', p_name, v_values, v_columns
    )
    into v_answer using p_args;
  end if;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.session_ok()
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text := private.session_state();
begin
  -- An error and not false: nobody should take an empty list for the truth, or a refused answer
  -- for one that is not wanted. The REST interface makes it status 401.
  if v_state = 'ended' then
    raise exception 'Your session has ended. Sign in again.' using errcode = 'PT401';
  end if;
  return v_state <> 'required';
end
$function$;

CREATE OR REPLACE FUNCTION private.session_state()
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_session_id uuid := v_claims ->> 'session_id';
begin
  if v_session_id is not null and not exists (
    select from auth.sessions s where s.id = v_session_id and s.user_id = v_user_id
  ) then
    return 'ended';
  end if;
  if v_claims ->> 'aal' = 'aal2' then
    return 'verified';
  end if;
  if exists (
    select from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified'
  ) then
    return 'required';
  end if;
  return 'none';
end
$function$;

CREATE OR REPLACE FUNCTION private.unread_json (
  p_user_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'title', private.conversation_title(c, p_user_id), 'unread', u.unread,
    'last_message', private.last_message_json(c, u.from_seq)
  ) order by u.active_at desc, c.id desc), '[]')
  from (
    select p.conversation_id, p.unread, p.from_seq, p.active_at
    from public.conversation_participants p
    where p.user_id = p_user_id and p.left_at is null and p.unread > 0
    order by p.active_at desc, p.conversation_id desc
    limit 4
  ) u
  join public.conversations c on c.id = u.conversation_id
  where (select private.session_ok()) and p_user_id = (select auth.uid())
$function$;

CREATE OR REPLACE FUNCTION public.get_dashboard (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p where p.user_id = (select auth.uid())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'projects', private.next_projects_json(p_business_id),
    'unread', private.unread_json((select auth.uid())),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.open_page (
  p_calls       jsonb,
  p_business_id uuid  DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_session jsonb := public.session_context();
  v_business_id uuid;
  v_answers jsonb := '[]';
  v_call jsonb;
begin
  if v_session is null or v_session ->> 'second_factor' = 'required' then
    return jsonb_build_object('session', v_session, 'business_id', null, 'answers', null);
  end if;
  -- The one chosen in this browser or, if the caller isn't a member of it, the first.
  select b.facts ->> 'id' into v_business_id
  from jsonb_array_elements(v_session -> 'businesses') with ordinality as b (facts, place)
  order by (b.facts ->> 'id' = p_business_id::text) is not true, b.place
  limit 1;
  for v_call in select c from jsonb_array_elements(p_calls) as c limit 4 loop
    v_answers := v_answers || jsonb_build_array(private.call_procedure(
      v_call ->> 'name',
      case
        when v_call -> 'args' ->> 'p_business_id' = 'current'
        then (v_call -> 'args') || jsonb_build_object('p_business_id', v_business_id)
        else v_call -> 'args'
      end
    ));
  end loop;
  return jsonb_build_object(
    'session', v_session, 'business_id', v_business_id, 'answers', v_answers
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."open_page"(jsonb, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.session_context()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with asking as (
    select u.id, u.email, private.role_of(u.id) as role, s.state as second_factor
    from auth.users u
    cross join private.session_state() as s (state)
    where u.id = (select auth.uid()) and s.state <> 'ended'
  )
  select
    case when a.second_factor = 'required' then
      jsonb_build_object(
        'user_id', a.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0, 'message_text', false
      )
    else
      jsonb_build_object(
        'user_id', a.id, 'email', a.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
        'time_zone', p.time_zone, 'role', a.role, 'second_factor', a.second_factor,
        'businesses', coalesce((
          select jsonb_agg(
            jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
            order by m.joined_at, b.name, b.id
          )
          from public.business_members m
          join public.businesses b on b.id = m.business_id
          where m.user_id = a.id and b.archived_at is null
        ), '[]'),
        'deletion_due_at', d.due_at,
        'unread_messages', private.unread_total(a.id),
        'message_text', private.wants(a.id, 'message_text')
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$function$;

COMMENT ON FUNCTION "private"."call_procedure"(text, jsonb) IS 'The answer of a public procedure, called by the caller''s own rights with arguments by name, as the REST interface does.';

COMMENT ON FUNCTION "private"."session_state"() IS 'ended: signed out or password changed, even though the token lasts an hour. Otherwise the second factor: none is enrolled; required, because this session hasn''t verified it; or verified.';

COMMENT ON FUNCTION "private"."unread_json"(uuid) IS 'The caller''s four most recently active conversations with unread messages, each with its last message.';

COMMENT ON FUNCTION "public"."get_dashboard"(uuid) IS 'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result, focus areas, coaching, open invitations, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

COMMENT ON FUNCTION "public"."open_page"(jsonb, uuid) IS 'What a page needs, in one query: {session (see session_context), business_id, answers}. p_calls has up to four procedures to call, [{name, args}]; the argument p_business_id may be ''current'', the caller''s current business. Answers are null while the second factor is still needed.';

REVOKE ALL ON FUNCTION "private"."call_procedure"(text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."call_procedure"(text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."session_state"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unread_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unread_json"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."open_page"(jsonb, uuid) TO "authenticated";
