SET local check_function_bodies = off;

ALTER TABLE "public"."quiz_version_areas"
  ADD COLUMN "skip_question" text;

ALTER TABLE "public"."quiz_version_areas"
  ADD COLUMN "skip_help" text;

CREATE OR REPLACE FUNCTION private.client_standing (
  p_engagement public.engagements
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'attempt_id', t.id, 'submitted_at', t.submitted_at, 'overall_score', t.overall_score,
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', s.area_key, 'name', k.name, 'short_name', k.short_name, 'score', s.score,
        'level', s.level, 'left_out', s.applicable = 0
      ) order by k.position), '[]')
      from public.area_scores s join public.skill_areas k on k.key = s.area_key
      where s.attempt_id = t.id
    )
  )
  from public.attempts t
  where p_engagement.results_shared and t.user_id = p_engagement.owner_id
    and t.business_id = p_engagement.business_id and t.state = 'submitted'
  order by t.kind = 'full' desc, t.submitted_at desc, t.id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.quiz_version_json (
  p_version_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', v.id,
    'number', v.number,
    'title', v.title,
    'areas', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', s.key, 'name', s.name, 'short_name', s.short_name, 'position', s.position,
          'importance', a.importance,
          'skip', case when a.skip_question is not null then jsonb_build_object(
            'question', a.skip_question, 'help', a.skip_help
          ) end
        ) order by s.position
      ), '[]')
      from public.quiz_version_areas a
      join public.skill_areas s on s.key = a.area_key
      where a.version_id = v.id
    ),
    'questions', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', q.key, 'area_key', q.area_key, 'practice', q.practice, 'position', q.position,
          'text', q.text, 'help', q.help, 'anchors', q.anchors, 'weight', q.weight,
          'action', q.action, 'first_look', q.first_look
        ) order by q.position
      ), '[]')
      from public.quiz_questions q
      where q.version_id = v.id
    )
  )
  from public.quiz_versions v
  where v.id = p_version_id
$function$;

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
        'score', s.score, 'level', s.level, 'left_out', s.applicable = 0,
        'recommended', r.position,
        'practice', case when q.key is not null then jsonb_build_object(
          'question_key', q.key, 'name', q.practice, 'action', q.action
        ) end,
        'tool', (
          select jsonb_build_object(
            'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes
          )
          from public.toolbox_items i
          where s.score is not null
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

ALTER TABLE "public"."quiz_version_areas"
  ADD CONSTRAINT "quiz_version_areas_check" CHECK (((skip_help IS NULL) OR (skip_question IS NOT NULL)));

ALTER TABLE "public"."quiz_version_areas"
  ADD CONSTRAINT "quiz_version_areas_skip_help_check" CHECK (((char_length(skip_help) >= 1) AND (char_length(skip_help) <= 240)));

ALTER TABLE "public"."quiz_version_areas"
  ADD CONSTRAINT "quiz_version_areas_skip_question_check" CHECK (((char_length(skip_question) >= 1) AND (char_length(skip_question) <= 160)));
