-- Lists for admins: one page of a table, filtered, searched and sorted by the database, with
-- keyset paging. The procedure admin_… of each list checks its caller, writes the audit row and
-- gives the SQL of its conditions and its row, which are constants; only $1 is the caller's.

create function private.list_page(
  -- The table, as r: 'public.businesses r'. It needs a unique id.
  p_from text,
  -- A jsonb expression over r.
  p_row text,
  -- Conditions on r; $1 is p_filter.
  p_where text[],
  -- An expression over r that an index starts with, followed by the id; never null.
  p_key text,
  p_key_type text,
  p_descending boolean,
  p_filter jsonb,
  -- {way: 'after' or 'before', key, id} of a row on another page; null: the first page.
  p_place jsonb,
  -- Null: a page, counted up to a limit. 0: only the count, exact. Otherwise rows, uncounted.
  p_limit int,
  -- What a row's column r.words has to match; null: anything.
  p_query tsquery default null,
  p_id_type text default 'uuid'
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.list_page(text, text, text[], text, text, boolean, jsonb, jsonb, int, tsquery, text) is
  'A page of an admin''s list: {rows (each with its id and sort key), more in that direction, count: {total, at_least} or null}.';
