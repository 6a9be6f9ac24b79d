SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.standing_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
  -- Of the caller's own attempts only: the policies of what hangs on them would list all of these.
  select jsonb_build_object(
    'attempt', jsonb_build_object(
      'id', t.id, 'kind', t.kind, 'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days', 'overall_score', t.overall_score
    ),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', s.area_key, 'label', k.name, 'short_label', k.short_name,
        'score', s.score, 'level', s.level,
        'recommended', r.position,
        'practice', case when q.key is not null then jsonb_build_object(
          'question_key', q.key, 'name', q.practice, 'action', q.action
        ) end,
        'tool', (
          select jsonb_build_object(
            'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes
          )
          from public.toolbox_items i where i.slug = r.toolbox_slug and i.state = 'published'
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
