-- A page rendered on demand: its session, and the data it will ask for, in one query.

create function private.call_procedure(p_name text, p_args jsonb) returns json
language plpgsql volatile security invoker set search_path = '' as $$
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
$$;
comment on function private.call_procedure(text, jsonb) is
  'The answer of a public procedure, called by the caller''s own rights with arguments by name, as the REST interface does.';
grant execute on function private.call_procedure(text, jsonb) to authenticated;

create function public.open_page(p_calls jsonb, p_business_id uuid default null) returns json
-- Volatile, as some procedures are: an admin's reads are recorded.
language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_session jsonb := public.session_context();
  v_business_id text;
begin
  if v_session is null or v_session ->> 'second_factor' = 'required' then
    return json_build_object('session', v_session, 'business_id', null, 'answers', null);
  end if;
  -- The one chosen in this browser or, if the caller isn't a member of it, the first.
  v_business_id := case
    when v_session -> 'businesses' @> jsonb_build_array(jsonb_build_object('id', p_business_id))
    then p_business_id::text
    else v_session #>> '{businesses,0,id}'
  end;
  return (
    select json_build_object(
      'session', v_session, 'business_id', v_business_id,
      'answers', coalesce(json_agg(private.call_procedure(
        c.call ->> 'name',
        case
          when c.call #>> '{args,p_business_id}' = 'current'
          then (c.call -> 'args') || jsonb_build_object('p_business_id', v_business_id)
          else c.call -> 'args'
        end
      )), '[]')
    )
    from (select e from jsonb_array_elements(p_calls) e limit 4) c (call)
  );
end
$$;
comment on function public.open_page(jsonb, uuid) is
  'What a page needs, in one query: {session (see session_context), business_id, answers}. p_calls has up to four procedures to call, [{name, args}]; the argument p_business_id may be ''current'', the caller''s current business. Answers are null while the second factor is still needed.';
grant execute on function public.open_page(jsonb, uuid) to authenticated;
