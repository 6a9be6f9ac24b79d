-- The timeline of an engagement and its loop: which skills were worked on, from a score over the
-- focus, actions, sessions and tools to the next score. The owner and the coach read the same.

create function private.engagement_moments(p_engagement_id uuid) returns table (
  at timestamptz, kind text, id text, title text, area_key text, href_kind text
)
language sql stable security definer set search_path = '' as $$
  select s.at, s.kind, null, null, null, null
  from (
    select v.at, case
      when v.kind = 'requested' then 'requested'
      when v.to_state = 'assigned' then 'assigned'
      when v.from_state = 'assigned' and v.to_state = 'accepted' then 'accepted'
      when v.to_state = 'paused' then 'paused'
      when v.from_state = 'paused' and v.to_state = 'active' then 'resumed'
      when v.to_state = 'completed' then 'completed'
    end as kind
    from public.engagement_events v
    where v.engagement_id = p_engagement_id and v.kind in ('requested', 'state_changed')
  ) s
  where s.kind is not null
  union all
  select s.starts_at, 'session', s.id::text, null, s.topics[1], 'session'
  from public.coaching_sessions s
  where s.engagement_id = p_engagement_id and s.state in ('completed', 'no_show')
  union all
  select a.created_at, 'action_added', a.id::text, a.body, a.area_key, null
  from public.coaching_actions a where a.engagement_id = p_engagement_id
  union all
  select a.settled_at, 'action_done', a.id::text, a.body, a.area_key, null
  from public.coaching_actions a where a.engagement_id = p_engagement_id and a.state = 'done'
  union all
  select r.created_at, 'recommended', r.tool_slug, coalesce(i.title, r.title), r.area_key,
    case when i.slug is not null then 'tool' end
  from public.coach_recommendations r
  left join public.toolbox_items i on i.slug = r.tool_slug and i.state = 'published'
  where r.engagement_id = p_engagement_id
  union all
  select r.settled_at, 'recommendation_taken', coalesce(r.project_id::text, r.tool_slug),
    coalesce(i.title, r.title), r.area_key,
    case when r.project_id is not null then 'project' when i.slug is not null then 'tool' end
  from public.coach_recommendations r
  left join public.toolbox_items i on i.slug = r.tool_slug and i.state = 'published'
  where r.engagement_id = p_engagement_id and r.state = 'taken'
$$;
comment on function private.engagement_moments(uuid) is
  'What happened in an engagement itself: steps, sessions, actions and recommendations.';

create function private.result_moments(p_engagement public.engagements) returns table (
  at timestamptz, kind text, id text, title text, area_key text, href_kind text
)
language sql stable security definer set search_path = '' as $$
  select f.chosen_at, 'focus_chosen', f.id::text, k.name, f.area_key, null
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  join public.skill_areas k on k.key = f.area_key
  where f.user_id = p_engagement.owner_id and t.business_id = p_engagement.business_id
    and f.chosen_at >= p_engagement.requested_at
  union all
  select t.submitted_at, 'attempt', t.id::text, null, null, 'attempt'
  from public.attempts t
  where t.user_id = p_engagement.owner_id and t.business_id = p_engagement.business_id
    and t.state = 'submitted' and t.submitted_at >= p_engagement.requested_at
$$;
comment on function private.result_moments(public.engagements) is
  'Quizzes and focus areas since an engagement was requested. Only for people who can read the results.';

create function private.business_moments(p_engagement public.engagements) returns table (
  at timestamptz, kind text, id text, title text, area_key text, href_kind text
)
language sql stable security definer set search_path = '' as $$
  select v.at, case v.to_status when 'done' then 'project_done' else 'project_started' end,
    p.id::text, p.title, p.area_key, 'project'
  from public.projects p
  join public.project_events v on v.project_id = p.id
  where p.business_id = p_engagement.business_id and v.kind = 'moved'
    and (v.to_status = 'done' or v.from_status = 'planned' and v.to_status = 'in_progress')
    and v.at >= p_engagement.requested_at
  union all
  select s.created_at, 'figure', s.business_id::text, null, null, 'business'
  from public.business_snapshots s
  where s.business_id = p_engagement.business_id and s.created_at >= p_engagement.requested_at
$$;

create function private.coaching_timeline(
  p_engagement_id uuid, p_results boolean default false, p_business boolean default true
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'at', m.at, 'kind', m.kind, 'id', m.id, 'title', m.title, 'area_key', m.area_key,
    'href_kind', m.href_kind
  ) order by m.at desc, m.kind, m.id), '[]')
  from (
    select n.* from (
      select * from private.engagement_moments(p_engagement_id)
      union all
      select r.* from public.engagements e cross join lateral private.result_moments(e) r
      where e.id = p_engagement_id and p_results
      union all
      select b.* from public.engagements e cross join lateral private.business_moments(e) b
      where e.id = p_engagement_id and p_business
    ) n
    order by n.at desc, n.kind, n.id
    limit 100
  ) m
$$;
comment on function private.coaching_timeline(uuid, boolean, boolean) is
  'What happened since an engagement was requested, newest first, at most 100: [{at, kind, id, title, area_key, href_kind}]. p_results includes quizzes and focus areas, p_business projects and figures, for people who can read them.';

create function private.loop_area_json(
  p_engagement public.engagements, p_area public.skill_areas, p_results boolean
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'area_key', p_area.key, 'area_name', p_area.name,
    'scores', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', t.submitted_at, 'score', t.score, 'version_number', t.number
      ) order by t.submitted_at), '[]')
      from (
        select a.submitted_at, s.score, n.number
        from public.attempts a
        join public.area_scores s on s.attempt_id = a.id and s.area_key = p_area.key
        join public.quiz_versions n on n.id = a.version_id
        where p_results and a.user_id = p_engagement.owner_id
          and a.business_id = p_engagement.business_id and a.state = 'submitted'
          and a.kind = 'full' and s.score is not null
        order by a.submitted_at desc limit 12
      ) t
    ),
    'focus_at', (
      select max(f.chosen_at)
      from public.focus_areas f join public.attempts t on t.id = f.attempt_id
      where p_results and f.user_id = p_engagement.owner_id
        and t.business_id = p_engagement.business_id and f.area_key = p_area.key
    ),
    'actions', (
      select coalesce(jsonb_agg(jsonb_build_object('at', x.at, 'done_at', x.done_at) order by x.at), '[]')
      from (
        select a.created_at as at, case a.state when 'done' then a.settled_at end as done_at
        from public.coaching_actions a
        where a.engagement_id = p_engagement.id and a.area_key = p_area.key and a.state <> 'dropped'
        union all
        select c.created_at, case c.state when 'done' then c.settled_at end
        from public.focus_areas f
        join public.attempts t on t.id = f.attempt_id
        join public.focus_actions c on c.focus_area_id = f.id
        where p_results and f.user_id = p_engagement.owner_id
          and t.business_id = p_engagement.business_id and f.area_key = p_area.key
          and c.state <> 'dropped'
        order by 1 desc limit 50
      ) x
    ),
    'sessions', (
      select coalesce(jsonb_agg(s.starts_at order by s.starts_at), '[]')
      from (
        select c.starts_at from public.coaching_sessions c
        where c.engagement_id = p_engagement.id and c.state = 'completed'
          and p_area.key = any (c.topics)
        order by c.starts_at desc limit 50
      ) s
    ),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object('slug', r.tool_slug, 'at', r.created_at) order by r.created_at), '[]')
      from (
        select c.tool_slug, c.created_at from public.coach_recommendations c
        where c.engagement_id = p_engagement.id and c.kind = 'tool' and c.area_key = p_area.key
          and c.state <> 'dismissed'
        order by c.created_at desc limit 50
      ) r
    )
  )
$$;

create function private.coaching_loop(p_engagement_id uuid, p_results boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.loop_area_json(e, k, p_results) order by k.position), '[]')
  from public.engagements e
  join public.skill_areas k on k.key = any (e.areas)
    or exists (
      select from public.coaching_actions a where a.engagement_id = e.id and a.area_key = k.key
    )
    or exists (
      select from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'completed' and k.key = any (s.topics)
    )
    or exists (
      select from public.coach_recommendations r where r.engagement_id = e.id and r.area_key = k.key
    )
    or p_results and exists (
      select from public.focus_areas f join public.attempts t on t.id = f.attempt_id
      where f.user_id = e.owner_id and t.business_id = e.business_id and f.area_key = k.key
        and f.chosen_at >= e.requested_at
    )
  where e.id = p_engagement_id
$$;
comment on function private.coaching_loop(uuid, boolean) is
  'Each skill area that an engagement is about, from score to score: [{area_key, area_name, scores, focus_at, actions, sessions, tools}]. p_results includes scores and focus areas, for people who can read them.';

create function private.coaching_story(
  p_engagement_id uuid, p_results boolean, p_business boolean
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'timeline', private.coaching_timeline(p_engagement_id, p_results, p_business),
    'loop', private.coaching_loop(p_engagement_id, p_results)
  )
$$;
