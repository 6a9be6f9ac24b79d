SET local check_function_bodies = off;

DROP FUNCTION "private"."standing_json"(uuid);

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
    -- Without the tools, which it doesn't show.
    'latest', private.standing_json(p_business_id, false),
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

CREATE OR REPLACE FUNCTION private.standing_json (
  p_business_id uuid,
  p_with_tools  boolean
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
  -- Of the caller's own attempts only: the policies of what hangs on them would list all of these.
  select json_build_object(
    'attempt', json_build_object(
      'id', t.id, 'kind', t.kind, 'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days', 'overall_score', t.overall_score
    ),
    'areas', (
      select coalesce(json_agg(json_build_object(
        'key', s.area_key, 'label', k.name, 'short_label', k.short_name,
        'score', s.score, 'level', s.level, 'left_out', s.applicable = 0,
        'recommended', r.position,
        'practice', case when q.key is not null then json_build_object(
          'question_key', q.key, 'name', q.practice, 'action', q.action
        ) end,
        'tool', (
          select json_build_object(
            'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes
          )
          from public.toolbox_items i
          where p_with_tools and s.score is not null
            and i.slug = private.tool_for(s.area_key, s.weakest_question_key, s.level)
        )
      ) order by k.position), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      left join public.recommendations r
        on r.attempt_id = s.attempt_id and r.area_key = s.area_key
      left join public.quiz_questions q
        on q.version_id = t.version_id and q.key = s.weakest_question_key
      where s.attempt_id = t.id
    )
  )
  -- One of each kind by the index, so the time doesn't grow with the attempts.
  from (values ('full'), ('first_look')) k (kind)
  cross join lateral (
    select a.id, a.kind, a.version_id, a.submitted_at, a.overall_score
    from public.attempts a
    where a.user_id = (select auth.uid()) and a.business_id is not distinct from p_business_id
      and a.state = 'submitted' and a.kind = k.kind
    order by a.submitted_at desc, a.id
    limit 1
  ) t
  where (select private.session_ok())
  order by t.kind = 'full' desc
  limit 1
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
    when 'latest' then private.standing_json(p_business_id, true)
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

COMMENT ON FUNCTION "private"."standing_json"(uuid, boolean) IS 'The caller''s latest result for a business (a full quiz before a first look): each area with its score, its weakest practice, with p_with_tools a tool for it, and if recommended, its place.';

REVOKE ALL ON FUNCTION "private"."standing_json"(uuid, boolean) FROM PUBLIC;
