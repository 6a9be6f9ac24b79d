SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.coaching_funnel()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_agg(jsonb_build_object(
    'state', s.state, 'count', n.count, 'late', n.late,
    'median_hours', round((extract(epoch from now() - n.half_since) / 3600)::numeric, 1)
  ) order by s.place)
  from unnest(array['requested', 'assigned', 'accepted', 'active', 'paused'])
    with ordinality as s (state, place)
  -- One state at a time, because grouping would sort all of them by the words of their state.
  cross join lateral (
    select count(*) as count,
      -- As private.is_late, which would be called for each of them.
      count(*) filter (where e.due_at < now() and e.due_what <> 'session') as late,
      percentile_disc(0.5) within group (order by e.state_since) as half_since
    from public.engagements e where e.closed_at is null and e.state = s.state
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.list_page (
  p_from       text,
  p_row        text,
  p_where      text[],
  p_key        text,
  p_key_type   text,
  p_descending boolean,
  p_filter     jsonb,
  p_place      jsonb,
  p_limit      integer,
  p_query      tsquery DEFAULT NULL::tsquery,
  p_id_type    text    DEFAULT 'uuid'::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_page constant int := 25;
  -- Beyond this many, rows are counted only on request: an exact count takes longer the more there are.
  c_counted constant int := 1000;
  -- Up to this many that words and conditions fit are sorted; of more, the first ones come soon
  -- along the order. At least as many as are counted, so that more needn't be counted again.
  c_few constant int := 1000;
  -- Of the first of these rows, a fifth that words fit means that most rows come soon.
  c_sample constant int := 100;
  c_limit constant int := least(greatest(coalesce(p_limit, c_page), 0), 500);
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  v_direction text := case when p_descending <> c_backward then 'desc' else 'asc' end;
  v_where text := array_to_string(array_append(p_where, 'true'), ' and ');
  v_counted_where text;
  v_is_common boolean;
  v_found text[];
  v_is_more boolean := false;
  v_rows jsonb := '[]';
  v_more boolean := false;
  v_total bigint;
begin
  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that. It
  -- isn't asked how many there are, because it guesses, and an index reads all of a common word.
  v_counted_where := v_where;
  if p_query is not null then
    execute format(
      $q$
        select count(*) filter (where pg_catalog.ts_match_vq(s.words, $1)) * 5 >= count(*)
        from (select r.words from %1$s order by %2$s %3$s, r.id %3$s limit %4$s) s
      $q$,
      p_from, p_key, v_direction, c_sample
    ) into v_is_common using p_query;
    if not v_is_common then
      execute format(
        'select array_agg(f.id::text) from (select r.id from %s where r.words @@ $2 and %s limit %s) f',
        p_from, v_where, c_few + 1
      ) into v_found using p_filter, p_query;
    end if;
    v_is_more := coalesce(cardinality(v_found) > c_few, false);
    if v_is_common or v_is_more then
      v_counted_where := v_where || case
        when v_is_common then ' and pg_catalog.ts_match_vq(r.words, $2)' else ' and r.words @@ $2' end;
      v_where := v_where || ' and pg_catalog.ts_match_vq(r.words, $2)';
      v_found := null;
    else
      v_found := coalesce(v_found, '{}');
      v_where := format('r.id = any ($3::%s[])', p_id_type);
    end if;
  end if;

  if c_limit > 0 then
    execute format(
      $q$
        select coalesce(jsonb_agg(
          %1$s || jsonb_build_object('id', r.id::text, 'key', r.list_key::text) order by r.list_place
        ) filter (where r.list_place <= %2$s), '[]'), coalesce(max(r.list_place) > %2$s, false)
        from (
          select r.*, %3$s as list_key, row_number() over (order by %3$s %4$s, r.id %4$s) as list_place
          from %5$s
          where %6$s %7$s
          order by %3$s %4$s, r.id %4$s
          limit %2$s + 1
        ) r
      $q$,
      p_row, c_limit, p_key, v_direction, p_from, v_where,
      case when p_place is null then '' else format(
        'and (%s, r.id) %s (($4 ->> ''key'')::%s, ($4 ->> ''id'')::%s)',
        p_key, case v_direction when 'asc' then '>' else '<' end, p_key_type, p_id_type
      ) end
    )
    into v_rows, v_more using p_filter, p_query, v_found, p_place;
    if c_backward then
      select jsonb_agg(e.row order by e.place desc) into v_rows
      from jsonb_array_elements(v_rows) with ordinality as e (row, place);
      v_rows := coalesce(v_rows, '[]');
    end if;
  end if;

  -- The first page counts up to a limit, a limit of 0 counts them all, and a file counts its rows.
  if coalesce(p_limit, 0) = 0 and v_found is not null then
    v_total := cardinality(v_found);
  elsif p_limit is null and v_is_more then
    v_total := c_counted + 1;
  elsif coalesce(p_limit, 0) = 0 then
    execute format(
      'select count(*) from (select from %s where %s %s) c', p_from, v_counted_where,
      case when p_limit is null then format('limit %s', c_counted + 1) else '' end
    ) into v_total using p_filter, p_query;
  end if;
  return jsonb_build_object(
    'rows', v_rows, 'more', v_more,
    'count', case when v_total is not null then jsonb_build_object(
      'total', case when p_limit is null then least(v_total, c_counted) else v_total end,
      'at_least', p_limit is null and v_total > c_counted
    ) end
  );
exception
  when invalid_text_representation or numeric_value_out_of_range or invalid_datetime_format
    or datetime_field_overflow or invalid_time_zone_displacement_value or invalid_parameter_value
  then
    raise exception 'We lost your place in the list. Start from the top.'
      using errcode = '22023', hint = 'place';
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_coaching_board()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('coaching_board.read', 'engagement', null);
  return jsonb_build_object(
    'funnel', private.coaching_funnel(),
    'coaches', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'user_id', s.user_id, 'name', s.name, 'capacity', c.capacity,
        'accepting', coalesce(c.accepting, true),
        'paused_until', case when c.paused_until >= private.coaching_day() then c.paused_until end,
        'away_until', private.away_until(s.user_id),
        'leaving', private.is_leaving(s.user_id),
        'clients', coalesce(n.clients, 0), 'waiting', coalesce(n.waiting, 0)
      ) order by s.name collate private.by_name, s.user_id), '[]')
      from (
        select r.user_id, private.name_of(r.user_id) as name
        from public.staff_roles r where r.role = 'coach' order by 2, 1 limit 200
      ) s
      left join public.coach_profiles c on c.user_id = s.user_id
      left join (
        select e.coach_id, count(*) as clients,
          count(*) filter (where e.state = 'assigned') as waiting
        from public.engagements e where e.closed_at is null group by e.coach_id
      ) n on n.coach_id = s.user_id
    ),
    'attention', jsonb_build_object(
      'away', (select count(*) from private.without_coach_today()),
      'change', (
        select count(*) from public.engagements e
        where e.closed_at is null and e.change_requested_at is not null
      )
    )
  );
end
$function$;
