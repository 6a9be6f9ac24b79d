-- The project screens' data, one query per screen.

create function public.list_projects(
  p_business_id uuid default null,
  p_statuses text[] default null,
  p_area_key text default null,
  p_query text default '',
  p_sort text default 'changed',
  p_view text default 'table',
  p_place jsonb default null,
  p_limit int default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function public.list_projects(uuid, text[], text, text, text, text, jsonb, int) is
  'A filtered page of projects of one business, or of all the caller can read, sorted ("changed", "due", "title"); 25 or p_limit of them, as a "board" 12 of each status. p_place is {way: "after" or "before", key, id} of a project on another page. {projects, more in that direction, counts by status (up to counted, which then means that many or more) and areas, both null if p_limit is given}.';

create function private.project_history(
  p_project_id uuid, p_before timestamptz, p_before_id text, p_limit int
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', h.id, 'kind', h.kind, 'at', h.at, 'to', h.to_status, 'from', h.from_status,
      'body', h.body,
      'by', (select f.full_name from public.profiles f where f.user_id = h.person_id),
      'mine', coalesce(h.person_id = (select auth.uid()), false)
    ) order by h.at desc, h.id desc
  ), '[]')
  from (
    (
      select u.id::text as id, 'update' as kind, u.at, null as from_status, null as to_status, u.body,
        u.author_id as person_id
      from public.project_updates u
      where u.project_id = p_project_id
        and (p_before is null or u.at <= p_before and (u.at, u.id::text) < (p_before, p_before_id))
      order by u.at desc, u.id desc limit p_limit
    )
    union all
    (
      select e.id::text, e.kind, e.at, e.from_status, e.to_status, e.note, e.actor_id
      from public.project_events e
      where e.project_id = p_project_id and e.kind <> 'refused'
        and (p_before is null or e.at <= p_before and (e.at, e.id::text) < (p_before, p_before_id))
      order by e.at desc, e.id desc limit p_limit
    )
    order by at desc, id desc limit p_limit
  ) h
$$;
comment on function private.project_history(uuid, timestamptz, text, int) is
  'Updates and steps of a project, newest first, before a place.';

create function public.list_project_history(p_id uuid, p_before timestamptz, p_before_id text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_to_read(p_id);
begin
  if v_project.id is null then
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  return private.project_history(p_id, p_before, p_before_id, 30);
end
$$;
comment on function public.list_project_history(uuid, timestamptz, text) is
  'The 30 updates and steps of a project before a given one, newest first, for anyone who can read it.';

create function private.project_choices(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    ),
    'engagements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
        'coach', (select f.full_name from public.profiles f where f.user_id = e.coach_id)
      ) order by e.requested_at desc), '[]')
      from (
        select i.* from public.engagements i
        where i.business_id = p_business_id and i.coach_id is not null
        order by i.requested_at desc limit 20
      ) e
    )
  )
$$;
comment on function private.project_choices(uuid) is
  'What a business''s project can be about: {areas, engagements with a coach}.';

create function public.get_project(p_id uuid) returns jsonb
-- Volatile: an admin's reads are recorded.
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tasks constant int := 100;
  c_history constant int := 30;
  v_project public.projects := private.project_to_read(p_id);
  v_business public.businesses;
begin
  if v_project.id is null then
    return null;
  end if;
  select * into v_business from public.businesses b where b.id = v_project.business_id;
  return jsonb_build_object(
    'project', private.project_json(v_project),
    'business_name', v_business.name,
    'archived', v_business.archived_at is not null,
    'right', private.project_right(v_project.business_id),
    'may_write', private.may_write_about(p_id, (select auth.uid())),
    'wrike', private.wrike_state(p_id),
    'moves', private.project_moves(v_project.status),
    'tasks', private.project_tasks_json(p_id, null, null, c_tasks),
    'history', private.project_history(p_id, null, null, c_history),
    'files', (
      select coalesce(jsonb_agg(private.file_json(f) order by f.created_at desc, f.id), '[]')
      from public.project_files f where f.project_id = p_id and f.state = 'stored'
    )
  ) || private.project_choices(v_project.business_id);
end
$$;
comment on function public.get_project(uuid) is
  'One project with everything its page shows: {project, business_name, archived (the business, which makes it read-only), right, may_write, wrike (whether it''s mirrored there; see wrike_state), moves, tasks (100), history (30), files, areas, engagements}; null if it doesn''t exist or the caller can''t read it.';

create function public.project_start(
  p_business_id uuid, p_area_key text default null, p_question_key text default null
) returns jsonb
language plpgsql stable security definer set search_path = ''
-- Without a question, it would be planned again at every call.
set plan_cache_mode = 'force_generic_plan' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_member(p_business_id);
  return private.project_choices(p_business_id) || jsonb_build_object(
    'from', (
      select jsonb_build_object(
        'area_key', q.area_key, 'practice', q.practice, 'action', q.action,
        -- Level 3: regularly and in writing.
        'goal', q.anchors[4],
        'score', (
          select jsonb_build_object('score', s.score, 'on', t.submitted_at)
          from public.attempts t
          join public.area_scores s on s.attempt_id = t.id and s.area_key = q.area_key
          where t.user_id = v_user_id and t.business_id = p_business_id
            and t.state = 'submitted' and s.score is not null
          order by t.submitted_at desc limit 1
        )
      )
      from public.quiz_questions q
      join public.quiz_versions v on v.id = q.version_id
      where q.key = p_question_key and (p_area_key is null or q.area_key = p_area_key)
        and v.state <> 'draft'
      order by v.number desc limit 1
    )
  );
end
$$;
comment on function public.project_start(uuid, text, text) is
  'The data for a member''s new-project page: {areas, engagements, from}; from is the 30-day action it starts from, with what the practice looks like at level 3 and its area''s latest score, or null.';

grant execute on function
  public.list_projects(uuid, text[], text, text, text, text, jsonb, int),
  public.list_project_history(uuid, timestamptz, text), public.get_project(uuid),
  public.project_start(uuid, text, text)
  to authenticated;
