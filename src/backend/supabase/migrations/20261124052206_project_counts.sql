SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_projects (
  p_business_id uuid    DEFAULT NULL::uuid,
  p_statuses    text[]  DEFAULT NULL::text[],
  p_area_key    text    DEFAULT NULL::text,
  p_query       text    DEFAULT ''::text,
  p_sort        text    DEFAULT 'changed'::text,
  p_view        text    DEFAULT 'table'::text,
  p_place       jsonb   DEFAULT NULL::jsonb,
  p_limit       integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Rows of a table; cards of one column of a board.
  c_page constant int := least(
    greatest(coalesce(p_limit, case p_view when 'board' then 12 else 25 end), 1), 500
  );
  -- A page before a place is read backward and turned round.
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  -- Beyond this many of one status nobody needs the number. Looking words up in each takes longer.
  c_counted constant int := case when p_view = 'table' and p_query <> '' then 25 else 100 end;
  -- Up to this many that words fit are looked at one by one.
  c_few constant int := 300;
  v_all constant text[] := array[
    'draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled'
  ];
  v_businesses uuid[];
  v_statuses text[] := coalesce(p_statuses, v_all);
  v_query tsquery := private.words_query(left(p_query, 100));
  v_key text := case p_sort
    when 'due' then 'coalesce(p.due_on, ''infinity''::date)'
    when 'title' then 'p.title collate private.by_name'
    else 'p.updated_at' end;
  v_type text := case p_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end;
  v_direction text := case when (p_sort in ('due', 'title')) <> c_backward then 'asc' else 'desc' end;
  v_narrow text := '';
  v_fitting uuid[];
  v_found jsonb;
  v_more boolean;
  v_counts jsonb;
begin
  perform private.require_session();
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  if p_area_key is not null then
    v_narrow := v_narrow || ' and p.area_key = $3';
  end if;
  select coalesce(array_agg(b), '{}') into v_businesses
  from private.readable_business_ids() b
  where p_business_id is null or b = p_business_id;

  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that.
  if v_query is not null then
    select coalesce(array_agg(f.id), '{}') into v_fitting
    from (
      select p.id from public.projects p
      where p.words @@ v_query and p.business_id = any (v_businesses)
      limit c_few + 1
    ) f;
    v_narrow := v_narrow || case
      when cardinality(v_fitting) > c_few then ' and pg_catalog.ts_match_vq(p.words, $4)'
      else ' and p.id = any ($10)' end;
  end if;

  -- A page from each business and status by their index, and the first of those together: what is
  -- read grows with the page and not with the projects.
  execute format(
    $q$
      with near as (
        select p.id, p.status, p.sort_key,
          row_number() over (order by p.sort_key %3$s, p.id %3$s) as place,
          row_number() over (partition by p.status order by p.sort_key %3$s, p.id %3$s) as in_status
        from unnest($1::uuid[]) as b (id)
        cross join unnest($2::text[]) as s (status)
        cross join lateral (
          select p.id, p.status, %1$s as sort_key
          from public.projects p
          where p.business_id = b.id and p.status = s.status %4$s %5$s
          order by %1$s %3$s, p.id %3$s
          limit %6$s
        ) p
      )
      select
        coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'title', p.title, 'status', p.status, 'area_key', p.area_key,
          'due_on', p.due_on, 'blocked_reason', p.blocked_reason, 'updated_at', p.updated_at,
          'task_count', p.task_count, 'done_count', p.done_count,
          'business', jsonb_build_object('id', p.business_id, 'name', (
            select b.name from public.businesses b where b.id = p.business_id
          )),
          'next_task', (
            select jsonb_build_object('title', t.title, 'state', t.state, 'due_on', t.due_on)
            from public.project_tasks t
            where t.project_id = p.id and t.removed_at is null and t.state <> 'done'
            order by t.position, t.id limit 1
          ),
          'moves', case when p.business_id = any ($9) then private.project_moves(p.status)
            else '[]' end,
          'key', n.sort_key::text
        ) order by case when $11 then -n.place else n.place end) filter (where n.shown), '[]'),
        coalesce(bool_or(not n.shown), false)
      from (
        select near.*, case when $6 then in_status <= $5 else place <= $5 end as shown from near
      ) n
      join public.projects p on p.id = n.id
    $q$,
    v_key, v_type, v_direction, v_narrow,
    case when p_place is null then '' else format(
      'and (%s, p.id) %s ($7::%s, $8)', v_key, case v_direction when 'asc' then '>' else '<' end,
      v_type
    ) end,
    c_page + 1
  )
  into v_found, v_more
  using v_businesses, v_statuses, p_area_key, v_query, c_page, p_view = 'board',
    p_place ->> 'key', (p_place ->> 'id')::uuid, array(
      select b.id from public.businesses b
      where b.id in (select private.my_business_ids()) and b.archived_at is null
    ), v_fitting, c_backward;

  if p_limit is null then
    execute format(
      $q$
        select jsonb_object_agg(s.status, (
          select count(*) from (
            select from unnest($1::uuid[]) as b (id)
            join public.projects p on p.business_id = b.id and p.status = s.status %s
            limit %s
          ) c
        ))
        from unnest($2::text[]) as s (status)
      $q$,
      v_narrow, c_counted
    )
    into v_counts
    using v_businesses, v_all, p_area_key, v_query, null, null, null, null, null, v_fitting;
  end if;
  return jsonb_build_object(
    'projects', v_found, 'more', v_more, 'counts', v_counts, 'counted', c_counted,
    'areas', case when p_limit is null then (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    ) end
  );
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'We lost your place in the list. Start from the top.'
      using errcode = '22023', hint = 'place';
end
$function$;

COMMENT ON FUNCTION "public"."list_projects"(uuid, text[], text, text, text, text, jsonb, integer) IS 'A filtered page of projects of one business, or of all the caller can read, sorted ("changed", "due", "title"); 25 or p_limit of them, as a "board" 12 of each status. p_place is {way: "after" or "before", key, id} of a project on another page. {projects, more in that direction, counts by status (up to counted, which then means that many or more) and areas, both null if p_limit is given}.';
